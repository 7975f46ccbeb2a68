package workshop

import (
	"context"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// owned is the file in a workshop that says which repository the worktrees are of.
// Its process holds a lock on it, which ends with the process, however that ends.
const owned = "repository"

// mostPath is more bytes than a path has.
const mostPath = 64 << 10

// worktreePrefix begins the names of worktrees in a workshop.
const worktreePrefix = "worktree-"

// removeLeft removes the workshops of processes that were killed, and their
// worktrees. What cannot be removed is left to the next start.
func removeLeft(ctx context.Context, prefix string) {
	files, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*", owned))
	for _, name := range files {
		repository, err := regular.ReadFile(name, mostPath) // others can make pipes there
		if err != nil {
			continue
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if ownedByMe(f) && lock(f) {
			remove(ctx, string(repository), filepath.Dir(name))
		}
		f.Close()
	}
}

// remove removes a workshop. Git forgets a worktree that is no longer there, also one
// that it was still making.
func remove(ctx context.Context, repository, dir string) {
	worktrees, _ := filepath.Glob(filepath.Join(dir, worktreePrefix+"*"))
	for _, w := range worktrees {
		os.RemoveAll(w)
		_, _ = Git(ctx, Here, "--git-dir="+repository, "worktree", "remove", "--force", "--force", w)
	}
	os.RemoveAll(dir)
}
