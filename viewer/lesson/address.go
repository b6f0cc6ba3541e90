package lesson

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"genussink/internal/decimal"
)

// learn begins every address.
const learn = "learn="

// End is the address of the closing page, which follows the last step.
const End = learn + "end"

// Address is the open step as a part of the page's fragment: "learn=3.2", and
// after a stroke what was done there, unless that was on the reader's graph. It is "" where no lesson is open.
func (m *Machine) Address() string {
	if m.number == 0 {
		return ""
	}
	return learn + m.address(m.Own() == nil)
}

// address is the open step, with or without what was done there.
func (m *Machine) address(acts bool) string {
	where := fmt.Sprintf("%d.%d", m.number, m.step)
	r := *m.record()
	r.At = m.timeline.At()
	if did := r.encode(); did != "" && acts {
		return where + "/" + did
	}
	return where
}

// Command is that of the tool which says the open step's numbers, with what was done there. On the reader's graph it names a
// FILE. It is "" where no lesson is open.
func (m *Machine) Command() string {
	if m.number == 0 {
		return ""
	}
	line := fmt.Sprintf(lessonCommand, m.address(true))
	switch own := m.Own(); {
	case own != nil && !m.Step().Alone:
		line += fmt.Sprintf(onPart, own.Around)
	case m.Step().Mesh:
		line += onFile
	}
	return line
}

// Resume opens what an address says. One without anything done leaves the
// step's record as it is kept; an address that makes no sense is an error, and
// opens nothing. What an address says was done is done on the lesson's graph.
func (m *Machine) Resume(address string) error {
	return m.resume(address, false)
}

// Repeat is Resume, but what was done is done on the reader's graph where the step shows it.
func (m *Machine) Repeat(address string) error {
	return m.resume(address, true)
}

func (m *Machine) resume(address string, own bool) error {
	value, ok := strings.CutPrefix(address, learn)
	if !ok {
		return fmt.Errorf("%q is not the address of a lesson", address)
	}
	where, did, some := strings.Cut(value, "/")
	number, step, found := strings.Cut(where, ".")
	n, err := strconv.Atoi(number)
	k := 1
	if err == nil && found {
		k, err = strconv.Atoi(step)
	}
	if err != nil {
		return fmt.Errorf("%q: a lesson's address is as in learn=3.2", address)
	}
	var r Record
	if some {
		if r, err = decode(did); err != nil {
			return err
		}
	}
	if err := m.Open(n, k); err != nil {
		return err
	}
	if some {
		if !own && m.Own() != nil {
			m.SetOwn(nil)
		}
		*m.record() = r
		if r.Passed {
			m.done[[2]int{n, k}] = true
		}
		m.enter()
	}
	return nil
}

// encode writes a record as words with underscores between them. First comes a
// word for each act: its verb, a single letter, and then its numbers, with a
// comma between two. After the acts come "t" with the timeline's position, unless
// that is 0; "r" if the answer is revealed; and "k" if the check is passed.
func (r *Record) encode() string {
	var out []string
	for _, a := range r.Acts {
		word := string(a.Verb)
		switch a.Verb {
		case Slide:
			word += number(a.X)
		case Predict:
			word += strconv.Itoa(a.A) + "," + number(a.X)
		case Drop:
			word += strconv.Itoa(a.A) + "," + strconv.Itoa(a.B)
		default:
			word += strconv.Itoa(a.A)
		}
		out = append(out, word)
	}
	if r.At != 0 {
		out = append(out, "t"+number(r.At))
	}
	if r.Revealed {
		out = append(out, "r")
	}
	if r.Passed {
		out = append(out, "k")
	}
	return strings.Join(out, "_")
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func decode(text string) (r Record, err error) {
	if text == "" {
		return r, nil
	}
	words := strings.Split(text, "_")
	if len(words) > maxActs+3 {
		return r, fmt.Errorf("%d acts: a step keeps %d", len(words), maxActs)
	}
	for _, word := range words {
		bad := fmt.Errorf("%q is nothing that is done in a lesson", word)
		if word == "" {
			return r, bad
		}
		verb, rest := Verb(word[:1]), word[1:]
		parts := strings.Split(rest, ",")
		a := Act{Verb: verb}
		var errA, errB error
		switch {
		case word == "r":
			r.Revealed = true
			continue
		case word == "k":
			r.Passed = true
			continue
		case verb == "t" && len(parts) == 1:
			r.At, errA = finite(rest)
			if errA != nil || r.At < 0 {
				return r, bad
			}
			continue
		case verb == Slide && len(parts) == 1:
			a.X, errA = finite(rest)
		case verb == Predict && len(parts) == 2:
			a.A, errA = strconv.Atoi(parts[0])
			a.X, errB = finite(parts[1])
		case verb == Drop && len(parts) == 2:
			a.A, errA = strconv.Atoi(parts[0])
			a.B, errB = strconv.Atoi(parts[1])
		case (verb == Toggle || verb == Pick || verb == Choose || verb == Move) && len(parts) == 1:
			a.A, errA = strconv.Atoi(rest)
		default:
			return r, bad
		}
		if errA != nil || errB != nil || a.A < 0 || a.B < 0 {
			return r, bad
		}
		r.Acts = append(r.Acts, a)
	}
	return r, nil
}

func finite(text string) (float64, error) {
	x, ok := decimal.Float([]byte(text))
	if !ok || x-x != 0 {
		return 0, errors.New("not a finite number")
	}
	return x, nil
}

// Keep is the progress of all lessons as text, for the browser to keep: a line for every step with something done.
func (m *Machine) Keep() string {
	m.leave()
	var b strings.Builder
	for i, l := range m.lessons {
		for k := range l.Steps {
			var did string
			if r := m.records[place{i + 1, k + 1, false}]; r != nil {
				did = r.encode()
			}
			if did == "" && m.passed(i+1, k+1) { // on the reader's graph
				did = "k"
			}
			if did != "" {
				fmt.Fprintf(&b, "%d.%d/%s\n", i+1, k+1, did)
			}
		}
	}
	return b.String()
}

// Merge is what is to be kept where several pages keep their progress in one place: what another page has kept there, with the steps that this page
// has changed. All are texts of Keep: before is this page's last one, now its new one.
func Merge(before, now, there string) string {
	old, own := byStep(before), byStep(now)
	var b strings.Builder
	for side, text := range [2]string{there, now} {
		for line := range strings.Lines(text) {
			step, _, ok := strings.Cut(line, "/")
			if changed := own[step] != old[step]; ok && changed == (side == 1) {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}

// byStep is the lines of a text of Keep by their steps.
func byStep(kept string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(kept) {
		if step, _, ok := strings.Cut(line, "/"); ok {
			lines[step] = line
		}
	}
	return lines
}

// Recall takes up what Keep wrote. Lines that make no sense, such as those of
// steps that are no more, are left out; it says how many were.
func (m *Machine) Recall(kept string) (lost int) {
	for line := range strings.Lines(kept) {
		where, did, ok := strings.Cut(strings.TrimSpace(line), "/")
		number, step, dot := strings.Cut(where, ".")
		n, errN := strconv.Atoi(number)
		k, errK := strconv.Atoi(step)
		r, err := decode(did)
		if !ok || !dot || errN != nil || errK != nil || err != nil || n < 1 || n > len(m.lessons) || k < 1 || k > len(m.lessons[n-1].Steps) {
			lost++
			continue
		}
		m.records[place{n, k, false}] = &r
		if r.Passed {
			m.done[[2]int{n, k}] = true
		}
	}
	if m.number != 0 {
		m.enter()
	}
	return lost
}
