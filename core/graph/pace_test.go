package graph

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"genussink/core/internal/shared"
)

// readPACE makes the graph of a file.
func readPACE(r io.Reader) (*Graph, error) {
	n, edges, err := ReadPACE(r)
	if err != nil {
		return nil, err
	}
	return New(n, edges)
}

func TestReadPACE(t *testing.T) {
	cases := []struct {
		name, text string
		n, m       int
		err        string // "" for none
	}{
		{"empty graph", "p tw 0 0\n", 0, 0, ""},
		{"one vertex", "p tw 1 0", 1, 0, ""},
		{"path", "c a path\np tw 3 2\n1 2\nc between\n3 2\n", 3, 2, ""},
		{"carriage returns", "p tw 2 1\r\n1 2\r\n\r\n", 2, 1, ""},
		{"loop and repetition", "p tw 2 3\n1 1\n1 2\n2 1\n", 2, 1, ""},
		{"nothing", "", 0, 0, "no problem line"},
		{"comment only", "c hello\n", 0, 0, "no problem line"},
		{"edge first", "1 2\np tw 2 1\n", 0, 0, "line 1: \"1 2\" comes before"},
		{"second header", "p tw 0 0\np tw 0 0\n", 0, 0, "line 2: a second"},
		{"long header", "p tw 0 0 7\n", 0, 0, "line 1: the problem line is \"p tw 0 0 7\", want"},
		{"other problem", "p sp 2 1\n1 2\n", 0, 0, "line 1: the problem line is \"p sp 2 1\", want"},
		{"too many edges", "p tw 3 1\n1 2\n2 3\n", 0, 0, "line 3: more than the 1 edges"},
		{"too few edges", "p tw 3 2\n1 2\n", 0, 0, "line 2: the file ends after 1 of 2"},
		{"vertex 0", "p tw 3 1\n0 2\n", 0, 0, "line 2: 0 is not in 1 to 3"},
		{"vertex out of range", "p tw 3 1\n1 4\n", 0, 0, "line 2: 4 is not in 1 to 3"},
		{"half an edge", "p tw 3 1\n1\n", 0, 0, "line 2: the edge is \"1\", want two"},
		{"a weight", "p tw 3 1\n1 2 3\n", 0, 0, "line 2: the edge is \"1 2 3\", want two"},
		{"not a number", "p tw 3 1\n1 x\n", 0, 0, "line 2: \"x\" is not a number"},
		{"sign", "p tw 3 1\n1 +2\n", 0, 0, "line 2: \"+2\" is not a number"},
		{"huge", "p tw 2000000000 0\n", 0, 0, "line 1: 2000000000 is not in"},
		{"beyond 64 bits", "p tw 99999999999999999999 0\n", 0, 0, "line 1: \"99999999999999999999\""},
		{"negative", "p tw -1 0\n", 0, 0, "line 1: -1 is not in"},
		{"long line", "p tw 2 1\nc" + strings.Repeat("x", 1<<17) + "\n1 2" + strings.Repeat(" ", 1<<17) + "\n", 2, 1, ""},
		{"byte order mark", "\ufeffp tw 2 1\n1 2\n", 2, 1, ""},
	}
	for _, c := range cases {
		g, err := readPACE(strings.NewReader(c.text))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if g.Len() != c.n || g.Edges() != c.m {
			t.Errorf("%s: %d vertices and %d edges, want %d and %d", c.name, g.Len(), g.Edges(), c.n, c.m)
		}
	}
}

// TestSharedPACE reads every graph of the shared treewidth data and writes it
// back; the .gr files of the invalid folder that are at fault are refused.
func TestSharedPACE(t *testing.T) {
	root := shared.Path(t, "treewidth")
	refused := map[string]bool{
		"p-appears-twice.gr": true, "p-num-edges-too-small.gr": true, "p-too-many-arguments.gr": true, "wrong-order.gr": true,
	}
	read := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".gr" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		g, err := readPACE(bytes.NewReader(data))
		if refused[filepath.Base(path)] != (err != nil) {
			t.Errorf("%s: error %v", d.Name(), err)
		}
		if err != nil {
			return nil
		}
		var out bytes.Buffer
		if err := g.WritePACE(&out); err != nil {
			return err
		}
		again, err := readPACE(&out)
		if err != nil || !reflect.DeepEqual(g, again) {
			t.Errorf("%s: does not read back: %v", d.Name(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 60 {
		t.Errorf("only %d graphs found", read)
	}
}

func FuzzReadPACE(f *testing.F) {
	for _, seed := range []string{"p tw 3 2\n1 2\nc x\n2 3\n", "p tw 0 0", "c\n\np tw 1 0\n", "p tw 2 1\n1 1\n", "p tw 999999999 1\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := readPACE(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := g.WritePACE(&out); err != nil {
			t.Fatal(err)
		}
		again, err := readPACE(&out)
		if err != nil || !reflect.DeepEqual(g, again) {
			t.Fatalf("%q does not read back: %v", data, err)
		}
	})
}
