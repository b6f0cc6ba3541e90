//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"genussink/internal/race"
)

// TestMain is the tool itself where a test starts it as a process: with
// GENUSSINK_TEST set to the most bytes that a file may have, 0 for no limit.
func TestMain(m *testing.M) {
	if limit := os.Getenv("GENUSSINK_TEST"); limit != "" {
		if n, err := strconv.ParseUint(limit, 10, 64); err == nil && n > 0 {
			signal.Ignore(syscall.SIGXFSZ) // so that a write beyond it is an error, as on a full disk
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
				panic(err)
			}
		}
		fmt.Println("ready")
		main()
	}
	os.Exit(m.Run())
}

// process is the tool as a process.
func process(limit int, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	cmd = exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GENUSSINK_TEST=%d", limit))
	stderr = &bytes.Buffer{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// writer is a call that writes a file: the last argument is its name.
type writer struct {
	name string
	args []string
}

// writers are all commands that write, each with small inputs in dir.
func writers(t *testing.T, dir string) []writer {
	t.Helper()
	mesh := filepath.Join(dir, "mesh.obj")
	ok(t, "generate", "sphere", "-frequency", "5", "-out", mesh)
	data, err := os.ReadFile(mesh)
	if err != nil {
		t.Fatal(err)
	}
	set, x := filepath.Join(dir, "set.txt"), filepath.Join(dir, "x.txt")
	if err := os.WriteFile(set, []byte("1\n2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(x, []byte(strings.Repeat("1\n", strings.Count(string(data), "v "))), 0o644); err != nil {
		t.Fatal(err)
	}
	torus := []string{"generate", "torus", "-segments", "24", "-sides", "12", "-out"}
	return []writer{
		{"mesh.ply", torus},
		{"mesh.stl", torus},
		{"mesh.off", torus},
		{"mesh.glb", torus},
		{"torus.obj", torus},
		{"labels.txt", []string{"separate", mesh, "-out"}},
		{"mesh.td", []string{"treedec", mesh, "-method", "min-degree", "-out"}},
		{"y.txt", []string{"apply", mesh, "-epsilon", "0.2", "-x", x, "-out"}},
		{"potentials.txt", []string{"solve", mesh, "-measures", "paper", "-epsilon", "0.2", "-potentials"}},
		{"mass.txt", []string{"query", mesh, "-measures", "paper", "-epsilon", "0.2", "-set", set, "-out"}},
	}
}

// A write that fails at any byte, as on a full disk, leaves the old content and
// nothing beside it, and is an error that names the file.
func TestFailedWritesKeepWhatWas(t *testing.T) {
	race.Alone(t)
	inputs := t.TempDir()
	for _, w := range writers(t, inputs) {
		dir := t.TempDir()
		out := filepath.Join(dir, w.name)
		ok(t, append(w.args, out)...)
		whole, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		const old = "what was there before"
		limits := []int{1, len(whole) / 2, len(whole) - 1}
		if testing.Short() {
			limits = limits[len(limits)-1:]
		}
		for _, limit := range limits {
			if err := os.WriteFile(out, []byte(old), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd, stderr := process(limit, append(slices.Clone(w.args), out)...)
			err := cmd.Run()
			if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), w.name+": ") || strings.Contains(stderr.String(), "goroutine") {
				t.Errorf("%s, %d bytes allowed: %v, %q", w.args[0], limit, err, stderr)
			}
			if left := contents(t, dir); len(left) != 1 || left[w.name] != old {
				t.Errorf("%s, %d bytes allowed: leaves %q", w.args[0], limit, left)
			}
		}
	}
}

// A program killed at any moment leaves the old content or the new one.
func TestKilledWritesKeepOneContent(t *testing.T) {
	race.Alone(t)
	inputs := t.TempDir()
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, w := range writers(t, inputs) {
		dir := t.TempDir()
		out := filepath.Join(dir, w.name)
		args := append(slices.Clone(w.args), out)
		start := time.Now()
		cmd, stderr := process(0, args...)
		if err := cmd.Run(); err != nil {
			t.Fatal(err, stderr)
		}
		took := time.Since(start)
		whole := contents(t, dir)[w.name]
		tries := 3
		if testing.Short() {
			tries = 1
		}
		for range tries {
			const old = "what was there before"
			if err := os.WriteFile(out, []byte(old), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd, _ := process(0, args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration((0.5 + 0.6*rng.Float64()) * float64(took)))
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			// Decompositions and potentials may differ from run to run in the last digits: whole is
			// what ends in a line, with as many lines.
			got := contents(t, dir)[w.name]
			same := strings.HasSuffix(got, "\n") && strings.Count(got, "\n") == strings.Count(whole, "\n")
			if got != old && got != whole && !same {
				t.Errorf("%s killed, seed %d: %d bytes, old %d, new %d", w.args[0], seed, len(got), len(old), len(whole))
			}
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

// Streams stay streams.
func TestStreamsAreWritten(t *testing.T) {
	inputs := t.TempDir()
	for _, w := range writers(t, inputs) {
		pipe := filepath.Join(t.TempDir(), w.name)
		if err := syscall.Mkfifo(pipe, 0o644); err != nil {
			t.Fatal(err)
		}
		read := make(chan int, 1)
		go func() {
			data, _ := os.ReadFile(pipe)
			read <- len(data)
		}()
		ok(t, append(slices.Clone(w.args), pipe)...)
		if n := <-read; n == 0 {
			t.Errorf("%s: nothing came through the pipe", w.args[0])
		}
		if info, err := os.Stat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Errorf("%s: the pipe is %v, %v", w.args[0], info.Mode(), err)
		}
		if _, err := os.Stat("/dev/full"); err != nil || w.args[0] == "generate" { // whose format is the name's ending
			continue
		}
		if code, _, stderr := tool(t, "", append(slices.Clone(w.args), "/dev/full")...); code != 1 || !strings.Contains(stderr, "no space left") {
			t.Errorf("%s to /dev/full: exit %d, %q", w.args[0], code, stderr)
		}
	}
}

// An output that is an input, under whatever name, is refused before anything is done.
func TestOutputIsNotInput(t *testing.T) {
	dir := t.TempDir()
	for _, w := range writers(t, dir) {
		if w.args[0] == "generate" {
			continue
		}
		before := contents(t, dir)
		for name := range maps.Keys(before) {
			if !slices.ContainsFunc(w.args, func(a string) bool { return filepath.Base(a) == name }) {
				continue
			}
			hard, soft := filepath.Join(t.TempDir(), "hard"), filepath.Join(t.TempDir(), "soft")
			if err := os.Link(filepath.Join(dir, name), hard); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(dir, name), soft); err != nil {
				t.Fatal(err)
			}
			for _, out := range []string{filepath.Join(dir, name), hard, soft} {
				code, _, stderr := tool(t, "", append(slices.Clone(w.args), out)...)
				if code != 1 || !strings.Contains(stderr, "would overwrite the input") {
					t.Errorf("%s to its input %s: exit %d, %q", w.args[0], out, code, stderr)
				}
			}
		}
		if after := contents(t, dir); !maps.Equal(before, after) {
			t.Errorf("%s has changed its inputs", w.args[0])
		}
	}
}

// What a glTF refers to is an input too, and must be a regular file.
func TestBuffersBesideMeshes(t *testing.T) {
	dir := t.TempDir()
	gltf, buffer := filepath.Join(dir, "a.gltf"), filepath.Join(dir, "a.bin")
	data := make([]byte, 36+6)
	data[12+2], data[12+3] = 0x80, 0x3f // (1,0,0)
	data[24+6], data[24+7] = 0x80, 0x3f // (0,1,0)
	data[38], data[40] = 1, 2
	const document = `{"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":42}],
		"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}`
	if err := os.WriteFile(gltf, []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(buffer, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := tool(t, "", "treedec", gltf, "-out", buffer); code != 1 || !strings.Contains(stderr, "one of the files that were read") {
		t.Errorf("to its buffer: exit %d, %q", code, stderr)
	}
	if got, err := os.ReadFile(buffer); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the buffer has changed: %v", err)
	}
	if err := os.Remove(buffer); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(buffer, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := tool(t, "", "info", gltf); code != 1 || !strings.Contains(stderr, "not a regular file") {
		t.Errorf("a pipe for a buffer: exit %d, %q", code, stderr)
	}
}

func TestBenchSaysFirstThatItCannotWrite(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere")
	out := filepath.Join(filepath.Dir(mesh), "sphere.obj", "results")
	if code, stdout, stderr := tool(t, "", "bench", "scaling", "-out", out, mesh); code != 1 || stdout != "" || !strings.Contains(stderr, "results") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// An interrupt of bench saves what was measured until then, and says so; a full disk leaves the results of the run before.
func TestBenchOutputs(t *testing.T) {
	mesh := generated(t, "sphere.obj", "sphere", "-frequency", "14")
	out := t.TempDir()
	names := []string{"scaling.csv", "scaling.md", "error.svg", "growth.svg"}
	cmd, stderr := process(0, "bench", "scaling", "-out", out, mesh)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if _, err := lines.ReadString('\n'); err != nil { // "ready"
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // whatever it has come to by then is saved
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "saved: "+filepath.Join(out, "scaling.csv")) {
		t.Errorf("interrupted: exit %d, %q", code, stderr)
	}
	whole := contents(t, out)
	for _, name := range names {
		if len(whole[name]) == 0 {
			t.Errorf("interrupted: %s is not there", name)
		}
	}
	if len(whole) != len(names) || !strings.HasPrefix(whole["scaling.csv"], "mesh,") {
		t.Errorf("interrupted: %d files, %.60q", len(whole), whole["scaling.csv"])
	}
	small := generated(t, "small.obj", "sphere", "-frequency", "1")
	cmd, stderr = process(100, "bench", "scaling", "-threads", "1", "-rounds", "1", "-out", out, small)
	err = cmd.Run()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "scaling.csv: ") {
		t.Errorf("100 bytes allowed: %v, %q", err, stderr)
	}
	if left := contents(t, out); !maps.Equal(left, whole) {
		t.Errorf("100 bytes allowed: the folder has changed")
	}
}

// One interrupt ends whatever waits, also what cannot hear it, and says what was saved. By themselves these would end after ten minutes, with
// another exit code, or never, and the test would not end either. What computes takes some seconds of a processor until the interrupt.
func TestInterruptEndsWhatWaits(t *testing.T) {
	dir := t.TempDir()
	mesh := filepath.Join(dir, "mesh.obj")
	ok(t, "generate", "sphere", "-frequency", "8", "-out", mesh)
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	open, err := os.OpenFile(pipe, os.O_RDWR, 0) // for those that read: there is a writer, and it is silent
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	lonely := filepath.Join(dir, "lonely") // nobody is at its other end
	if err := syscall.Mkfifo(lonely, 0o644); err != nil {
		t.Fatal(err)
	}
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	if testing.Short() {
		signals = signals[:1] // the others are heard by the same line
	}
	for name, args := range map[string][]string{
		"an open that waits": {"solve", mesh, "-source", lonely, "-target", lonely, "-epsilon", "0.2"},
		"a read that waits":  {"solve", mesh, "-source", pipe, "-target", pipe, "-epsilon", "0.2"},
		"a write that waits": {"separate", mesh, "-out", lonely},
		"standard input":     {"apply", mesh, "-x", "-", "-epsilon", "0.2", "-out", filepath.Join(dir, "y.txt")},
		"a long computation": {"treedec", mesh, "-timeout", "10m", "-out", filepath.Join(dir, "mesh.td")},
		"a long solve": {"solve", mesh, "-measures", "paper", "-epsilon", "0.2", "-method", "exact", "-tolerance", "1e-300", "-iterations", "1000000000",
			"-potentials", filepath.Join(dir, "potentials.txt")},
		"a server that waits": {"serve", "-addr", "127.0.0.1:0", "-dir", dir},
	} {
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("page"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, s := range signals {
			cmd, stderr := process(0, args...)
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond) // whatever it has come to by then must end
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			_ = stdin.Close()
			if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > 20*time.Second {
				t.Errorf("%s, %v: ended after %v of a processor", name, s, took)
			}
			want, message := 1, "interrupted; nothing was saved"
			if args[0] == "serve" {
				want, message = 0, ""
			}
			if code := cmd.ProcessState.ExitCode(); code != want || !strings.Contains(stderr.String(), message) {
				t.Errorf("%s, %v: exit %d, %q", name, s, code, stderr)
			}
		}
	}
}

// A pipe in the served folder is refused at once: to open it would wait.
func TestServedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "a.js"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	pageHandler(folder(dir)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/a.js", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("status %d", w.Code)
	}
}

// An address that others reach is said aloud.
func TestServeOutwards(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("page"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd, stderr := process(0, "serve", "-addr", ":0", "-dir", dir)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	for line := ""; !strings.HasPrefix(line, "GenusSink"); {
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err, stderr)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(stderr.String(), "not the loopback address") {
		t.Errorf("%v, stderr %q", err, stderr)
	}
}
