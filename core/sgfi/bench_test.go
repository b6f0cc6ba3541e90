package sgfi

import (
	"context"
	"testing"

	"genussink/core/linop/linoptest"
)

func benchmarks(b *testing.B, run func(b *testing.B, s subject)) {
	for _, cuts := range []int{4, 5} { // 2,562 and 10,242 vertices
		s := icosphere(b, cuts)
		b.Run(s.name, func(b *testing.B) { run(b, s) })
	}
}

func BenchmarkBuild(b *testing.B) {
	benchmarks(b, func(b *testing.B, s subject) {
		for b.Loop() {
			build(b, s.g, Options{Positions: s.positions})
		}
	})
}

func BenchmarkNewKernel(b *testing.B) {
	benchmarks(b, func(b *testing.B, s subject) {
		t := build(b, s.g, Options{Positions: s.positions})
		for b.Loop() {
			kernel(b, t, 0.2*t.Diameter(), KernelOptions{})
		}
	})
}

func kernel(t testing.TB, tree *Tree, epsilon float64, o KernelOptions) *Kernel {
	t.Helper()
	k, err := NewKernel(context.Background(), tree, epsilon, o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func BenchmarkMulVec(b *testing.B) {
	benchmarks(b, func(b *testing.B, s subject) {
		t := build(b, s.g, Options{Positions: s.positions})
		k := kernel(b, t, 0.2*t.Diameter(), KernelOptions{})
		x, y := masses(k.n, 1), make([]float64, k.n)
		b.ReportMetric(float64(k.Bytes())/(1<<20), "MB")
		for b.Loop() {
			linoptest.Must(b, k).MulVec(y, x)
		}
	})
}

func BenchmarkLogMulVec(b *testing.B) {
	benchmarks(b, func(b *testing.B, s subject) {
		t := build(b, s.g, Options{Positions: s.positions})
		k := kernel(b, t, t.Diameter()/400, KernelOptions{})
		x, y := masses(k.n, 1), make([]float64, k.n)
		for b.Loop() {
			linoptest.Must(b, k).LogMulVec(y, x)
		}
	})
}

func BenchmarkPlanCost(b *testing.B) {
	benchmarks(b, func(b *testing.B, s subject) {
		t := build(b, s.g, Options{Positions: s.positions})
		k := kernel(b, t, 0.2*t.Diameter(), KernelOptions{})
		x := masses(k.n, 1)
		for b.Loop() {
			linoptest.Must(b, k).PlanCost(x, x)
		}
	})
}
