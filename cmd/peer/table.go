package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// mostTable is more than any table has, in bytes.
const mostTable = 1 << 20

// readTable reads a file whose lines are the arguments of a peer. Those that are given are
// added to each.
func readTable(file string, flags []string) (list []peer, err error) {
	text, err := regular.ReadFile(file, mostTable)
	if err != nil {
		return nil, fmt.Errorf("-table: %w", err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 4 {
			return nil, fmt.Errorf("-table=%s: line %d: NAME DIRECTORY BINARY VARIANT are needed, and %q is there", foreign.Line(file), n, words)
		}
		list = append(list, newPeer(slices.Concat(words, flags)))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("-table=%s: there is no peer in it", foreign.Line(file))
	}
	return list, nil
}

// newPeer is a peer by its arguments, of which there are four at least.
func newPeer(args []string) peer {
	return peer{args[0], args[1], args[2], args[3], args[4:], builds.Known{}}
}

// prepareAll builds the servers of all peers, each directory once: those of a language one
// after the other, since their tools share a cache, and languages side by side. It returns
// what went wrong, by directory.
func prepareAll(ctx context.Context, list []peer) map[string]error {
	dirs := map[string][]string{} // by the file of their language
	of, failed := map[string]language{}, map[string]error{}
	for _, p := range list {
		if _, known := of[p.directory]; known || failed[p.directory] != nil {
			continue
		}
		l, err := languageOf(p.directory)
		if err != nil {
			failed[p.directory] = err
			continue
		}
		of[p.directory] = l
		dirs[l.file] = append(dirs[l.file], p.directory)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	for _, same := range dirs {
		all.Go(func() {
			for _, dir := range same {
				err := of[dir].prepare(ctx, dir)
				mu.Lock()
				failed[dir] = err
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return failed
}

// runAll tests and measures all peers, one after the other. Those whose servers cannot be
// had are named and left out.
func runAll(ctx context.Context, list []peer, out string) error {
	var errs []error
	failed := prepareAll(ctx, list)
	for _, p := range list {
		err := failed[p.directory]
		switch missing := new(absent); {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case errors.As(err, missing):
			_, err = fmt.Printf("# skipped: peer=%s: %v\n", p.name, foreign.Error(missing.error))
		case err == nil:
			err = p.run(ctx, out)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}
