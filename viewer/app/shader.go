package app

import (
	"fmt"

	"github.com/hajimehoshi/ebiten/v2"

	"genussink/viewer/raster"
)

// The depth buffer is 16 bits in two images: the high byte of the nearest
// depth at each pixel, then, among those that have it, the low byte. Both are
// drawn with the maximum as the blend; the third pass sees only what both say
// is nearest.

const depthSource = `//kage:unit pixels
package main

// steps is a depth in steps of 1/65535.
func steps(depth float) float {
	return floor(clamp(depth, 0, 1)*65535 + 0.5)
}

// stored reads the depth that the two images hold at a pixel.
func stored(pos vec2) float {
	high := floor(imageSrc1UnsafeAtFromSrc0Pos(pos).r*255 + 0.5)
	low := floor(imageSrc2UnsafeAtFromSrc0Pos(pos).r*255 + 0.5)
	return high*256 + low
}
`

const highSource = depthSource + `
func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	return vec4(floor(steps(custom.x)/256)/255, 0, 0, 1)
}
`

const lowSource = depthSource + `
func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	own := steps(custom.x)
	high := floor(own / 256)
	if high != floor(imageSrc1UnsafeAtFromSrc0Pos(dst.xy-imageDstOrigin()).r*255+0.5) {
		discard()
	}
	return vec4((own-high*256)/255, 0, 0, 1)
}
`

// lightSource lights as raster.Shade does: n is a unit vector in the eye's frame that points at the eye, open what is left of the light.
const lightSource = depthSource + `
func lit(color vec3, n vec3, open float) vec3 {
	key := vec3(keyX, keyY, keyZ)
	diffuse := max((dot(n, key)+wrap)/(1+wrap), 0)
	light := sqrt(ambient + keyShare*diffuse + skyShare*(0.5+0.5*n.y))
	light *= mix(edgeShade, 1, smoothstep(0, edgeWidth, -n.z)) * open
	shine := glint * pow(max(dot(n, normalize(key+vec3(0, 0, -1))), 0), glintPower)
	return min(color*light+vec3(shine), vec3(1))
}
`

const surfaceSource = lightSource + `
var Exact float // 1: test the depth, 0: the triangles are in painter's order
var Flat float
var Wires float
var Pixel float
var Right vec3
var Up vec3
var Forward vec3
var Middle vec2
var Focal float
var Nearness vec2 // perspective: 1/far and 1/near-1/far; orthographic: far and far-near
var Orthographic float
var WireColor vec3

// plane is the normal, in the eye's frame, of the surface seen at this pixel: of the plane
// that fits the depths around it.
func plane(pos vec2, depth float) vec3 {
	slope := vec2(dfdx(depth), dfdy(depth)) * Focal
	if Orthographic > 0.5 {
		slope *= -Nearness.y
		return vec3(slope.x, -slope.y, -1)
	}
	slope *= Nearness.y
	w := Nearness.x + depth*Nearness.y
	n := vec3(slope.x, -slope.y, 0)
	n.z = w - (n.x*(pos.x-Middle.x)+n.y*(Middle.y-pos.y))/Focal
	return -n
}

func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	pos := dst.xy - imageDstOrigin()
	flat := plane(pos, custom.x)
	corner := vec3(src, 1-src.x-src.y)
	slopes := vec3(length(vec2(dfdx(corner.x), dfdy(corner.x))), length(vec2(dfdx(corner.y), dfdy(corner.y))), length(vec2(dfdx(corner.z), dfdy(corner.z))))
	if Exact > 0.5 && steps(custom.x) < stored(pos)-1 {
		discard()
	}
	n := vec3(dot(custom.yzw, Right), dot(custom.yzw, Up), dot(custom.yzw, Forward))
	if Flat > 0.5 {
		n = flat
	}
	if dot(n, n) == 0 {
		n = vec3(0, 0, -1)
	}
	n = normalize(n)
	if n.z > 0 {
		n = -n
	}
	c := lit(color.rgb, n, color.a)
	if Wires > 0.5 {
		heights := 1 / max(slopes, vec3(0.000001)) / Pixel
		far := corner * heights
		distance := min(far.x, min(far.y, far.z))
		height := min(heights.x, min(heights.y, heights.z))
		cover := clamp(wireWidth/2+0.5-distance, 0, 1) * wireShade * clamp((height-2)/6, 0, 1)
		c = mix(c, WireColor, cover)
	}
	return vec4(c, 1)
}
`

// spriteSource colours sprites as raster.SpriteColor does.
const spriteSource = lightSource + `
var Exact float
var Scale float // pixels of the depth images in one of the target's
var Halo vec3

func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	pos := dst.xy - imageDstOrigin()
	at := pos
	radius := custom.z
	size := 1 / max(length(vec2(dfdx(src.x), dfdy(src.x))), 0.000001)
	if custom.y >= 0 {
		at = custom.yz
		radius = size
	}
	if Exact > 0.5 && steps(custom.x) < stored(floor(at*Scale)+vec2(0.5)) {
		discard()
	}
	if custom.w > 1.5 {
		cover := clamp((1-abs(src.y))*radius, 0, 1) * color.a
		return vec4(color.rgb, 1) * cover
	}
	d := length(src)
	if custom.w > 0.5 {
		cover := clamp((1-d)*radius, 0, 1) * color.a
		if cover == 0 {
			discard()
		}
		d = min(d, 0.98)
		n := vec3(src.x, -src.y, -sqrt(1-d*d))
		return vec4(lit(color.rgb, normalize(n), 1-rimShade*d*d*d*d), 1) * cover
	}
	outer := clamp((1-d)*radius, 0, 1)
	inner := clamp((1-haloWidth-d)*radius+0.5, 0, 1)
	opacity := outer * (0.75 + 0.25*inner) * color.a
	return vec4(mix(Halo, color.rgb, inner), 1) * opacity
}
`

// groundSource is the background's gradient, with half a step of noise so that
// a faint one shows no bands.
const groundSource = `//kage:unit pixels
package main

var Top vec3
var Bottom vec3
var Height float

func Fragment(dst vec4, src vec2, color vec4) vec4 {
	pos := dst.xy - imageDstOrigin()
	noise := fract(52.9829189*fract(dot(pos, vec2(0.06711056, 0.00583715)))) - 0.5
	return vec4(mix(Top, Bottom, pos.y/Height)+vec3(noise/255), 1)
}
`

// constants are raster's, so that both draw the same picture.
func constants() string {
	text := "\n"
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"keyX", raster.KeyX}, {"keyY", raster.KeyY}, {"keyZ", raster.KeyZ},
		{"ambient", raster.Ambient}, {"keyShare", raster.KeyShare}, {"skyShare", raster.SkyShare},
		{"wrap", raster.Wrap}, {"glint", raster.Glint}, {"glintPower", raster.GlintPower},
		{"edgeShade", raster.EdgeShade}, {"edgeWidth", raster.EdgeWidth}, {"haloWidth", raster.HaloWidth},
		{"rimShade", raster.RimShade}, {"wireShade", raster.WireShade}, {"wireWidth", raster.WireWidth},
	} {
		text += fmt.Sprintf("const %s = %.6f\n", c.name, c.value)
	}
	return text
}

// shaders are the programs.
type shaders struct {
	high, low, surface, ground *ebiten.Shader
	sprites                    *ebiten.Shader // nil until sprite was called
}

// sprite makes the program of sprites when it is first needed: a first picture has none, and the browser takes long over each.
func (s *shaders) sprite() *ebiten.Shader {
	if s.sprites == nil {
		var err error
		if s.sprites, err = ebiten.NewShader([]byte(spriteSource + constants())); err != nil {
			panic(fmt.Errorf("app: compiling a shader: %w", err)) // see Game.guard
		}
	}
	return s.sprites
}

func newShaders() (*shaders, error) {
	s := &shaders{}
	for _, p := range []struct {
		to     **ebiten.Shader
		source string
	}{
		{&s.high, highSource}, {&s.low, lowSource}, {&s.surface, surfaceSource + constants()},
		{&s.ground, groundSource},
	} {
		shader, err := ebiten.NewShader([]byte(p.source))
		if err != nil {
			return nil, fmt.Errorf("app: compiling a shader: %w", err)
		}
		*p.to = shader
	}
	return s, nil
}
