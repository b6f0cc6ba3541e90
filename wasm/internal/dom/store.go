//go:build js

package dom

import (
	"errors"
	"syscall/js"
)

// Store keeps values by key in tables of an IndexedDB database: across reloads,
// on this machine, for this site alone.
type Store struct{ db js.Value }

// Change is a value to put at a key of a table, or, where there is none, to
// delete; without a key, the whole table.
type Change struct {
	Table, Key string
	Value      js.Value
}

// settle calls done once, when a request or a transaction has come to its end:
// by one of the events good, or by another of those listed.
func settle(target js.Value, good string, bad []string, done func(err error)) {
	var listeners []Listener
	end := func(err error) {
		for _, l := range listeners {
			l.Release()
		}
		listeners = nil
		done(err)
	}
	listeners = append(listeners, Listen(target, good, func(js.Value) { end(nil) }))
	for _, name := range bad {
		listeners = append(listeners, Listen(target, name, func(js.Value) { end(thrown(target.Get("error"))) }))
	}
}

// storePatience is how long a database may take to open, in milliseconds. A busy browser needs some seconds. One that allows no database may
// never answer.
const storePatience = 10_000

// OpenStore opens a database with the given tables. Call it from a goroutine of
// its own. A database that does not open in time is an error. If it opens later,
// late gets it.
func OpenStore(name string, late func(*Store), tables ...string) (*Store, error) {
	s := &Store{}
	done := make(chan error, 2) // the first counts
	given := false              // up
	After(storePatience, func() {
		given = true
		done <- errors.New("the browser’s store does not answer")
	})
	err := Try(func() {
		factory := js.Global().Get("indexedDB")
		if !factory.Truthy() {
			panic(errors.New("the browser has no store"))
		}
		open := factory.Call("open", name, 1)
		upgrade := Listen(open, "upgradeneeded", func(js.Value) {
			for _, t := range tables {
				open.Get("result").Call("createObjectStore", t)
			}
		})
		settle(open, "success", []string{"error", "blocked"}, func(err error) {
			upgrade.Release()
			if err == nil {
				s.db = open.Get("result")
			}
			if given && err == nil {
				late(s)
			}
			done <- err
		})
	})
	if err == nil {
		err = <-done
	}
	return s, err
}

// Write makes changes, all or none, and calls done when they are on their way
// to the disk, or why not. It does not wait, so that what is written while a
// page is left is written still.
func (s *Store) Write(done func(err error), changes ...Change) {
	err := Try(func() {
		names := make([]any, 0, len(changes))
		for _, c := range changes {
			names = append(names, c.Table)
		}
		t := s.db.Call("transaction", names, "readwrite")
		settle(t, "complete", []string{"abort"}, done)
		for _, c := range changes {
			table := t.Call("objectStore", c.Table)
			switch {
			case c.Key == "":
				table.Call("clear")
			case c.Value.IsUndefined():
				table.Call("delete", c.Key)
			default:
				table.Call("put", c.Value, c.Key)
			}
		}
		t.Call("commit")
	})
	if err != nil {
		done(err)
	}
}

// Read is the value at a key of a table, undefined where there is none. Call it
// from a goroutine of its own, as Keys.
func (s *Store) Read(table, key string) (js.Value, error) {
	return s.ask(table, func(t js.Value) js.Value { return t.Call("get", key) })
}

// Keys lists a table's keys.
func (s *Store) Keys(table string) ([]string, error) {
	list, err := s.ask(table, func(t js.Value) js.Value { return t.Call("getAllKeys") })
	if err != nil {
		return nil, err
	}
	keys := make([]string, list.Length())
	for i := range keys {
		keys[i] = list.Index(i).String()
	}
	return keys, nil
}

func (s *Store) ask(table string, question func(table js.Value) js.Value) (answer js.Value, err error) {
	done := make(chan error, 1)
	err = Try(func() {
		request := question(s.db.Call("transaction", table).Call("objectStore", table))
		settle(request, "success", []string{"error"}, func(err error) {
			if err == nil {
				answer = request.Get("result")
			}
			done <- err
		})
	})
	if err == nil {
		err = <-done
	}
	return answer, err
}
