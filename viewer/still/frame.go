package still

import (
	"math"

	"genussink/viewer/scene"
)

// margin is the share of a picture's width and height that stays free on either side of a framed mesh.
const margin = 0.05

// distant is how many of the mesh's radii the camera stays away, at least.
const distant = 1.5

// Frame moves the scene's camera, without turning it, so that the mesh fills a
// picture of a width and a height, zoom times as large as it fits. In a very long
// picture it stays smaller: the camera does not go between the mesh's parts.
func Frame(s *scene.Scene, width, height int, zoom float64) {
	m := s.Mesh.Mesh
	pose := s.View.Camera().Pose().Fitted(m.Radius)
	s.View.Camera().Set(pose)
	if len(m.Points) == 0 {
		return
	}
	for range 6 { // perspective changes a little with every step
		before := pose
		lens := s.View.Camera().Lens(float64(width), float64(height))
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for v := 0; v+2 < len(m.Points); v += 3 {
			x, y, _ := lens.Project([3]float64{float64(m.Points[v]), float64(m.Points[v+1]), float64(m.Points[v+2])})
			lo, hi = [2]float64{min(lo[0], x), min(lo[1], y)}, [2]float64{max(hi[0], x), max(hi[1], y)}
		}
		scale := 2 * pose.Size / min(lens.Width, lens.Height) // view units in a pixel, at the target
		dx, dy := (lo[0]+hi[0]-lens.Width)/2*scale, (lo[1]+hi[1]-lens.Height)/2*scale
		for k := range pose.Target {
			pose.Target[k] += dx*lens.Right[k] - dy*lens.Up[k]
		}
		pose.Size *= max((hi[0]-lo[0])/lens.Width, (hi[1]-lo[1])/lens.Height, 1e-3) / (1 - 2*margin)
		away := math.Hypot(math.Hypot(lens.Eye[0]-before.Target[0], lens.Eye[1]-before.Target[1]), lens.Eye[2]-before.Target[2]) / before.Size
		pose.Size = max(pose.Size, distant*m.Radius/away)
		s.View.Camera().Set(pose)
	}
	pose.Size /= zoom
	s.View.Camera().Set(pose)
}
