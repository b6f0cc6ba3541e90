//go:build !js

// Command pack puts the page's folder together: the static files of web/, with the
// toolchain's wasm_exec.js, which the build puts there, the gallery and its pictures, the generators' parameters, the
// sizes that the loading bar counts to and the hashes that service.js keeps files by; then it compresses what compresses.
// The programs are viewer.wasm, worker.wasm and published.wasm. They come from the folder that they were built in. Package segment has them
// compress better.
// Only what has changed is written, and each file is renamed into place: whoever
// is being served the folder gets the old file or the new one.
//
//	go run ./wasm/pack -programs build/wasm -out build/web -quality 4
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"

	"genussink/core/mesh/generate"
	"genussink/internal/output"
	"genussink/wasm/internal/segment"
)

func main() {
	out := flag.String("out", "build/web", "the `folder` to fill; its parent keeps notes of what was compressed")
	programs := flag.String("programs", "build/wasm", "the `folder` that holds the programs")
	pictures := flag.String("pictures", "build/pictures", "the `folder` that holds the gallery's pictures")
	quality := flag.Int("quality", 4, "brotli quality, 0 to 11; from 9 up gzip is at its best too")
	base := flag.String("base", "", "the `address` that the page will have, for previews of links to it, which need it whole")
	share := flag.String("share", "build/share.png", "the picture of those previews, 1200 by 630 pixels")
	flag.Parse()
	if err := pack(*programs, *pictures, *base, *share, *out, *quality); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// late is the program that is fetched when somebody first asks for what it does: the loading bar does not count it, and service.js keeps it from then on.
const late = "published.wasm"

func pack(programs, pictures, base, share, out string, quality int) error {
	files := map[string][]byte{}
	if err := gather(files, "web", ""); err != nil {
		return err
	}
	if err := gather(files, "assets/meshes", "meshes"); err != nil {
		return err
	}
	if err := gather(files, pictures, "meshes"); err != nil {
		return err
	}
	if files["wasm_exec.js"] == nil {
		return errors.New("web/wasm_exec.js is missing: make web/wasm_exec.js takes it from the toolchain")
	}
	var err error
	if files["generators.json"], err = generators(); err != nil {
		return err
	}
	sizes := map[string]int{}
	for _, name := range []string{"viewer.wasm", "worker.wasm", late} {
		program, err := os.ReadFile(filepath.Join(programs, name))
		if err != nil {
			return err
		}
		if files[name], err = segment.Merge(program); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name != late {
			sizes[name] = len(files[name])
		}
	}
	if files["sizes.json"], err = json.Marshal(sizes); err != nil {
		return err
	}
	if base != "" {
		if files["share.png"], err = os.ReadFile(share); err != nil {
			return err
		}
		if files["index.html"], err = preview(files["index.html"], base); err != nil {
			return err
		}
	}
	files["service.js"] = service(files)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := sweep(out, files); err != nil {
		return err
	}
	return write(out, files, quality)
}

// gather reads a folder of plain files.
func gather(files map[string][]byte, dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		served := slices.Contains([]string{".html", ".css", ".js", ".svg", ".json", ".glb", ".png", ".webmanifest"}, filepath.Ext(e.Name()))
		if e.Type().IsRegular() && served {
			if files[filepath.Join(prefix, e.Name())], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// generators describes the mesh generators to the page, whose own program does
// not link them.
func generators() ([]byte, error) {
	type param struct {
		Name    string  `json:"name"`
		Unit    string  `json:"unit"`
		Default float64 `json:"default"`
		Min     float64 `json:"min"`
		Max     float64 `json:"max"`
		Integer bool    `json:"integer"`
	}
	type kind struct {
		Name        string  `json:"name"`
		Description string  `json:"description"`
		Params      []param `json:"params"`
	}
	var kinds []kind
	for _, k := range generate.Kinds() {
		to := kind{Name: k.Name, Description: k.Description}
		for _, p := range k.Params {
			to.Params = append(to.Params, param{p.Name, p.Unit, p.Default, p.Min, p.Max, p.Integer})
		}
		kinds = append(kinds, to)
	}
	return json.Marshal(kinds)
}

// preview says in the page's head where it is and what previews of links to it show.
func preview(page []byte, base string) ([]byte, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("-base %q is not the address of a page, such as https://example.org/genussink/", base)
	}
	u = u.JoinPath("/")
	tags := ""
	for _, tag := range [][2]string{
		{"og:url", u.String()}, {"og:image", u.JoinPath("share.png").String()}, {"og:image:width", "1200"}, {"og:image:height", "630"},
		{"og:image:alt", "Mass moves over an octopus"}, {"twitter:card", "summary_large_image"},
	} {
		tags += fmt.Sprintf("\n  <meta property=\"%s\" content=\"%s\">", tag[0], html.EscapeString(tag[1]))
	}
	const before = `<meta property="og:type" content="website">`
	if bytes.Count(page, []byte(before)) != 1 {
		return nil, fmt.Errorf("index.html has not one %s", before)
	}
	return bytes.Replace(page, []byte(before), []byte(before+tags), 1), nil
}

// service is service.js with the hash of every other file of the page by its address below the page's, and the version, which is made
// from them all. The page's own address stands for index.html, which hosts redirect to it; embedded, the page may have other headers.
func service(files map[string][]byte) []byte {
	hashes := map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		hash := "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
		switch name {
		case "service.js", "share.png":
		case "index.html":
			hashes["./"], hashes["./?embed=1"] = hash, hash
		default:
			hashes[filepath.ToSlash(name)] = hash
		}
	}
	list, err := json.Marshal(hashes) // in the order of names
	if err != nil {
		panic(err) // strings are always written
	}
	version := sha256.Sum256(slices.Concat(list, files["service.js"]))
	return fmt.Appendf(nil, "'use strict';\nconst version = '%x', late = '%s', files = %s;\n%s", version[:8], late, list, files["service.js"])
}

// sweep removes what an earlier run left and this one does not write.
func sweep(out string, files map[string][]byte) error {
	return filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		if _, ok := files[strings.TrimSuffix(strings.TrimSuffix(name, ".br"), ".gz")]; !ok {
			return os.Remove(path)
		}
		return nil
	})
}

// write writes the files that differ and their compressed forms. What those
// were made from is noted beside the folder, because they cannot be compared. A
// file's note is removed before the file is touched. All notes are written again
// when all files are there. So a run that fails leaves no false note.
func write(out string, files map[string][]byte, quality int) error {
	notes := filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".packed.json")
	known := map[string]string{}
	if b, err := os.ReadFile(notes); err == nil {
		if json.Unmarshal(b, &known) != nil {
			known = map[string]string{}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	made, kept := map[string]string{}, map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		made[name] = fmt.Sprintf("%s %d", hex.EncodeToString(sum[:]), quality)
		if known[name] == made[name] {
			kept[name] = made[name]
		}
	}
	if err := note(notes, kept); err != nil {
		return err
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for name, data := range files {
		wait.Go(func() {
			_, packed := kept[name]
			err := writeOne(filepath.Join(out, name), data, quality, packed)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	wait.Wait()
	if failed != nil {
		return failed
	}
	return note(notes, made)
}

func note(file string, notes map[string]string) error {
	b, err := json.Marshal(notes)
	if err != nil {
		return err
	}
	return output.WriteFile(file, b)
}

func writeOne(path string, data []byte, quality int, packed bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, data) {
		if err := output.WriteFile(path, data); err != nil {
			return err
		}
	}
	_, brMissing := os.Stat(path + ".br")
	_, gzMissing := os.Stat(path + ".gz")
	if packed && brMissing == nil && gzMissing == nil {
		return nil
	}
	var small bytes.Buffer
	if err := through(brotli.NewWriterOptions(&small, brotli.WriterOptions{Quality: quality, LGWin: window}), data); err != nil {
		return err
	}
	if err := output.WriteFile(path+".br", small.Bytes()); err != nil {
		return err
	}
	level := gzip.DefaultCompression
	if quality >= 9 {
		level = gzip.BestCompression
	}
	small.Reset()
	z, err := gzip.NewWriterLevel(&small, level)
	if err != nil {
		return err
	}
	if err := through(z, data); err != nil {
		return err
	}
	return output.WriteFile(path+".gz", small.Bytes())
}

// window is the base 2 logarithm of how far back brotli looks: as far as its format allows (RFC 7932, section 9.1). The programs
// are longer than the encoder's own choice.
const window = 24

// through writes all of the data and ends the stream.
func through(w io.WriteCloser, data []byte) error {
	_, err := w.Write(data)
	return errors.Join(err, w.Close())
}
