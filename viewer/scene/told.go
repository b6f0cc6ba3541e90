package scene

import (
	"fmt"
	"strings"
)

// Told is what has changed on the canvas since another state, in words for those who do not see it; "" where nothing has. Mass that
// plays is not followed, nor a stroke before it ends.
func (s *State) Told(before *State) string {
	if !s.Ready || s.Densities.Stroke {
		return ""
	}
	var words []string
	if s.Mesh.Name != before.Mesh.Name || !before.Ready {
		words = append(words, fmt.Sprintf("%s is open: %s.", s.Mesh.Name, counted(s.Mesh.Vertices)))
	}
	if now := s.layers(); now != before.layers() || !before.Ready {
		words = append(words, now)
	}
	now, then := &s.Densities, &before.Densities
	if now.SourceN != then.SourceN || now.TargetN != then.TargetN || now.Source != then.Source || now.Target != then.Target {
		words = append(words, fmt.Sprintf("Source on %s, target on %s.", counted(now.SourceN), counted(now.TargetN)))
	}
	return strings.Join(words, " ")
}

// layers says what is on the mesh.
func (s *State) layers() string {
	var list []string
	for _, e := range s.Legend {
		if !e.On {
			continue
		}
		var parts []string
		for _, p := range e.Parts {
			if e.Layer != LayerMass || !s.Playback.Playing {
				name := p.Name
				if p.Mark == MarkScale {
					name = Field(name).Name()
				}
				parts = append(parts, name)
			}
		}
		text := e.Layer.Name()
		if parts != nil {
			text += ": " + strings.Join(parts, ", ")
		}
		list = append(list, text)
	}
	if list == nil {
		return "Nothing is on the mesh."
	}
	return "On the mesh: " + strings.Join(list, "; ") + "."
}

// counted is so many vertices in words.
func counted(n int) string {
	if n == 1 {
		return "1 vertex"
	}
	return fmt.Sprintf("%d vertices", n)
}
