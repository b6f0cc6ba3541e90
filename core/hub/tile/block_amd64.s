#include "textflag.h"

// less(a, b, m): where a number of a is less than that of b, b gets it. m is scratch space.
#define less(a, b, m) \
	VPCMPGTQ a, b, m \
	VBLENDVPD m, a, b, b

// func nearestByFours(keys *[chunk]label.Fixed, row *label.Fixed, rowStride int, cols *label.Fixed, stride int, hubs *int32, count int, keep label.Fixed)
//
// count is at least 1.
TEXT ·nearestByFours(SB), NOSPLIT, $0-64
	MOVQ keys+0(FP), DI
	MOVQ row+8(FP), SI
	MOVQ rowStride+16(FP), AX
	MOVQ cols+24(FP), DX
	MOVQ stride+32(FP), CX
	MOVQ hubs+40(FP), R8
	MOVQ count+48(FP), R9
	VPBROADCASTQ keep+56(FP), Y14
	SHLQ $3, CX // bytes
	VPCMPEQD Y0, Y0, Y0
	VPSRLQ $1, Y0, Y0 // four times the greatest int64
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	XORQ R10, R10
hub:
	MOVLQSX (R8)(R10*4), R11
	MOVQ R11, R12
	IMULQ AX, R12
	MOVQ (SI)(R12*8), R12 // the row's label
	ADDQ R10, R12
	IMULQ CX, R11
	ADDQ DX, R11 // the columns'
	VMOVQ R12, X4
	VPBROADCASTQ X4, Y4
	VPADDQ (R11), Y4, Y5
	VPADDQ 32(R11), Y4, Y6
	VPADDQ 64(R11), Y4, Y7
	VPADDQ 96(R11), Y4, Y8
	VPAND Y14, Y5, Y5
	VPAND Y14, Y6, Y6
	VPAND Y14, Y7, Y7
	VPAND Y14, Y8, Y8
	less(Y5, Y0, Y9)
	less(Y6, Y1, Y10)
	less(Y7, Y2, Y11)
	less(Y8, Y3, Y12)
	INCQ R10
	CMPQ R10, R9
	JLT hub
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VZEROUPPER
	RET

// func leadsByFours(leads *label.Fixed, count int, pivot *[chunk]label.Fixed, cols *label.Fixed, stride int)
//
// count is at least 1.
TEXT ·leadsByFours(SB), NOSPLIT, $0-40
	MOVQ leads+0(FP), DI
	MOVQ count+8(FP), R9
	MOVQ pivot+16(FP), SI
	MOVQ cols+24(FP), DX
	MOVQ stride+32(FP), CX
	SHLQ $3, CX // bytes
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
hub:
	VMOVDQU (DX), Y4
	VMOVDQU 32(DX), Y5
	VMOVDQU 64(DX), Y6
	VMOVDQU 96(DX), Y7
	VPSUBQ Y0, Y4, Y4
	VPSUBQ Y1, Y5, Y5
	VPSUBQ Y2, Y6, Y6
	VPSUBQ Y3, Y7, Y7
	less(Y5, Y4, Y8)
	less(Y7, Y6, Y9)
	less(Y6, Y4, Y8)
	VEXTRACTI128 $1, Y4, X5
	less(X5, X4, X8)
	VPSRLDQ $8, X4, X5
	less(X5, X4, X8)
	VMOVQ X4, (DI)
	ADDQ $8, DI
	ADDQ CX, DX
	DECQ R9
	JNZ hub
	VZEROUPPER
	RET
