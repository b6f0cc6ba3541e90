package output

import (
	"errors"
	"os"
	"path/filepath"
)

// renameio has no Windows; os.Rename replaces a file there, too.
type pending struct {
	*os.File
	name string
	done bool
}

func newTemporary(name string) (temporary, error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name))
	if err != nil {
		return nil, err
	}
	return &pending{File: f, name: name}, nil
}

func (p *pending) replace() error {
	if err := errors.Join(p.Sync(), p.Close()); err != nil {
		return err
	}
	p.done = true
	return os.Rename(p.Name(), p.name)
}

func (p *pending) discard() error {
	if p.done {
		return nil
	}
	p.done = true
	return errors.Join(p.Close(), os.Remove(p.Name()))
}
