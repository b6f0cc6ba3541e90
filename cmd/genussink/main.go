// Command genussink is the native tool: the engine of the page for scripts,
// benchmarks and people without a browser.
//
// Results go to stdout. Progress (one line, on a terminal only), warnings and
// errors go to stderr. If a file is written to stdout, the report goes to stderr.
//
// The exit status is 0 for success, 1 for an error in the data or at run time,
// 2 for a wrong call, and 3 for a solve that has not converged.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"genussink/internal/output"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	files := &output.Set{}
	context.AfterFunc(ctx, func() {
		stop() // a second interrupt ends the program at once
		time.Sleep(patience)
		files.End()
		fmt.Fprintln(os.Stderr, interrupted(files))
		os.Exit(1)
	})
	code := run(ctx, files, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// patience is how long after an interrupt the program may take to end by
// itself. What cannot hear it, such as a pipe that nobody writes to, is left then.
const patience = 1200 * time.Millisecond

// interrupted says what an interrupted call leaves behind.
func interrupted(files *output.Set) string {
	saved := slices.Compact(files.Saved()) // one that grows is written many times
	if len(saved) == 0 {
		return "genussink: interrupted; nothing was saved"
	}
	return "genussink: interrupted; saved: " + strings.Join(saved, ", ")
}

// command is a subcommand. Setup declares its flags and returns what runs once
// they are parsed.
type command struct {
	name    string
	args    string // the arguments, as the usage line shows them
	count   int    // how many arguments
	more    bool   // or more than that
	summary string // one sentence or more
	example string
	outputs []string // flags that name a file to write
	setup   func(fs *flag.FlagSet) func(c *call) error
}

// commands in the order in which a person meets them.
func commands() []command {
	return []command{
		serveCommand(), infoCommand(), inspectCommand(), generateCommand(), distanceCommand(),
		separateCommand(), treedecCommand(), applyCommand(), solveCommand(), barycentreCommand(), queryCommand(), pictureCommand(), exportCommand(), lessonCommand(), benchCommand(),
	}
}

// call is one call of a command.
type call struct {
	ctx      context.Context
	args     []string
	typed    []string // as they were typed, flags and all
	flags    *flag.FlagSet
	json     bool
	verbose  bool
	memory   size
	with     string // the file that belongs to the input; "": none
	stdin    io.Reader
	stdout   io.Writer
	filled   bool      // stdout has a file's contents
	stderr   io.Writer // of warnings
	files    *output.Set
	read     []os.FileInfo // files that were read besides those that were typed
	progress *progressLine
}

// usageError is a wrong call: exit status 2.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// unconverged says that the results are those of a solve that stopped too early: exit status 3.
type unconverged struct{ message string }

func (e unconverged) Error() string { return e.message }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// checked is standard output. It remembers that something could not be written.
type checked struct {
	io.Writer
	failed error
}

func (w *checked) Write(p []byte) (n int, err error) {
	if n, err = w.Writer.Write(p); err != nil {
		w.failed = err
	}
	return n, err
}

// run is the whole program.
func run(ctx context.Context, files *output.Set, args []string, stdin io.Reader, out, stderr io.Writer) (code int) {
	stdout := &checked{Writer: out}
	defer func() {
		if code == 0 && stdout.failed != nil { // and nobody has looked
			fmt.Fprintf(stderr, "genussink: standard output: %v\n", reason(stdout.failed))
			code = 1
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "genussink: a fault of ours: %v\n", p)
			if os.Getenv("GENUSSINK_DEBUG") != "" {
				fmt.Fprintf(stderr, "%s", debug.Stack())
			}
			code = 1
		}
	}()
	if len(args) == 0 {
		overview(stderr)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		if len(args) == 1 {
			overview(stdout)
			return 0
		}
		args = []string{args[1], "-h"}
	}
	for _, cmd := range commands() {
		if cmd.name == args[0] {
			return cmd.run(ctx, files, args[1:], stdin, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "genussink: there is no command %q; `genussink -h` lists them\n", args[0])
	return 2
}

func (cmd command) run(ctx context.Context, files *output.Set, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	c := &call{ctx: ctx, typed: args, flags: fs, stdin: stdin, stdout: stdout, stderr: stderr, files: files, progress: newProgressLine(stderr)}
	threads := 0
	if cmd.name != "serve" {
		fs.BoolVar(&c.json, "json", false, "print one JSON object")
		fs.BoolVar(&c.verbose, "v", false, "print every figure in full, a name and a value a line, as -json names them")
		if cmd.name != "generate" {
			fs.Var(&c.memory, "memory", "most memory that opening a file may take, such as 4GB; by default 20 times the file and 128 MiB, up to 1 GB")
		}
		if cmd.name != "generate" && cmd.name != "bench" {
			fs.StringVar(&c.with, "with", "", "the file that belongs to a graph's: the other road table, or coordinates (.co)")
		}
		fs.IntVar(&threads, "threads", 0, "processors to use, at most those there are; 0: all")
	}
	body := cmd.setup(fs)
	strict(fs)

	// Flags may stand before, between and after the arguments, but not after --.
	for rest := args; ; {
		err := fs.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			cmd.help(fs, stdout)
			return 0
		}
		if err != nil {
			fmt.Fprintf(stderr, "genussink %s: %v; `genussink %s -h` shows how\n", cmd.name, err, cmd.name)
			return 2
		}
		left := fs.Args()
		if read := rest[:len(rest)-len(left)]; len(left) == 0 || len(read) > 0 && read[len(read)-1] == "--" {
			c.args = append(c.args, left...)
			break
		}
		c.args = append(c.args, left[0])
		rest = left[1:]
	}
	var err error
	switch {
	case len(c.args) < cmd.count, len(c.args) > cmd.count && !cmd.more:
		err = usagef("needs %s", strings.TrimSpace(strings.Join([]string{plural(cmd.count, "argument"), cmd.args}, " ")))
	case threads < 0:
		err = usagef("-threads %d: must not be negative", threads)
	default:
		if threads > 0 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(threads, runtime.NumCPU())))
		}
		if err = c.checkOutputs(cmd.outputs); err == nil {
			err = body(c)
		}
	}
	c.progress.clear()
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "genussink %s: %v; `genussink %s -h` shows how\n", cmd.name, err, cmd.name)
		return 2
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, interrupted(files))
		return 1
	}
	fmt.Fprintf(stderr, "genussink: %s\n", oneLine(err.Error()))
	if errors.As(err, &unconverged{}) {
		return 3
	}
	return 1
}

func overview(w io.Writer) {
	fmt.Fprint(w, "genussink moves mass over meshes: entropic optimal transport along shortest paths.\n\nusage: genussink COMMAND ...\n\n")
	for _, cmd := range commands() {
		first, _, _ := strings.Cut(cmd.summary, "\n")
		first, _, _ = strings.Cut(first, ". ")
		fmt.Fprintf(w, "  %-10s %s\n", cmd.name, strings.TrimRight(first, ".:"))
	}
	fmt.Fprint(w, "\nA MESH or INPUT may be a session file of the page, .genussink.\nExit status: 0 success, 1 an error in the data or at run time, 2 a wrong call, 3 results of a solve that has not converged.\n`genussink COMMAND -h` says more and shows an example.\n")
}

func (cmd command) help(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprintf(w, "usage: genussink %s [flags]\n\n%s\n\nexample: genussink %s\n\nflags:\n",
		strings.TrimSpace(cmd.name+" "+cmd.args), cmd.summary, cmd.example)
	fs.SetOutput(w)
	fs.VisitAll(func(f *flag.Flag) {
		if v, ok := f.Value.(strictly); ok { // whose kind is in the help
			f.Value = v.Value
		}
	})
	fs.PrintDefaults()
}

// oneLine keeps an error that quotes a file from breaking the line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func plural(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "one " + what + ":"
	}
	return fmt.Sprintf("%d %ss:", n, what)
}
