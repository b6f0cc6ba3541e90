//go:build !windows

package output

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

type pending struct{ *renameio.PendingFile }

// newTemporary takes the permissions of the file that it replaces, or the usual ones.
func newTemporary(name string) (temporary, error) {
	f, err := renameio.NewPendingFile(name, renameio.WithPermissions(0o666), renameio.WithExistingPermissions(), renameio.WithTempDir(filepath.Dir(name)))
	if err != nil {
		return nil, err
	}
	return pending{f}, nil
}

func (p pending) replace() error { return p.CloseAtomicallyReplace() }
func (p pending) discard() error { return p.Cleanup() }
