package meshio

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"genussink/core/internal/shared"
)

// readFile reads one file of the shared data, with its folder at hand.
func readFile(t testing.TB, name string) (*Result, error) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return Read(name, f, Options{Files: os.DirFS(filepath.Dir(name))})
}

// TestIndex compares the vertex and face counts of every real mesh with what
// an independent reader counted. Where the index tells vertices of the file
// from used ones, ours are the file's for the formats that are not welded.
func TestIndex(t *testing.T) {
	root := shared.Path(t)
	index, err := os.ReadFile(filepath.Join(root, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	fileV := regexp.MustCompile(`file V (\d+)`)
	rows := 0
	lines := bufio.NewScanner(bytes.NewReader(index))
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "|")
		if len(cells) < 14 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "meshes/") {
			continue
		}
		rows++
		name := strings.TrimSpace(cells[1])
		t.Run(path.Base(name), func(t *testing.T) {
			v, err := strconv.Atoi(strings.Fields(cells[3])[0])
			if err != nil {
				t.Fatal(err)
			}
			f, err := strconv.Atoi(strings.Fields(cells[4])[0])
			if err != nil {
				t.Fatal(err)
			}
			res, err := readFile(t, filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			if m := fileV.FindStringSubmatch(cells[3]); m != nil && (res.Format == "obj" || res.Format == "off" || res.Format == "ply") {
				if v, err = strconv.Atoi(m[1]); err != nil {
					t.Fatal(err)
				}
			}
			if len(res.Mesh.Positions) != v || len(res.Mesh.Faces) != f {
				t.Errorf("V %d F %d, the index has %d and %d", len(res.Mesh.Positions), len(res.Mesh.Faces), v, f)
			}
			cell := regexp.MustCompile(`^[0-9.e+-]+$`)
			if d := strings.TrimSpace(cells[13]); cell.MatchString(d) && v == len(res.Mesh.Positions) {
				want, err := strconv.ParseFloat(d, 64)
				if err != nil {
					t.Fatal(err)
				}
				if got := res.Mesh.Diagonal(); got < want*0.9995 || got > want*1.0005 {
					t.Errorf("diagonal %g, the index has %g", got, want)
				}
			}
			if len(res.Warnings) > 0 || res.Detail == "" {
				t.Logf("detail %q, warnings %q", res.Detail, res.Warnings)
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if rows < 55 {
		t.Errorf("%d meshes in the index", rows)
	}
}
