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

// home is the directory of a server, and how it was prepared.
type home struct {
	language
	dir string
	err error
}

// prepareAll builds the servers of all peers, each directory once: those of a language one
// after the other, since their tools share a cache, and languages side by side. It returns
// the directories by their names.
func prepareAll(ctx context.Context, list []peer) map[string]*home {
	homes := map[string]*home{}
	alike := map[string][]*home{} // by the file of their language
	for _, p := range list {
		if homes[p.directory] != nil {
			continue
		}
		l, err := languageOf(p.directory)
		h := &home{l, p.directory, err}
		if homes[h.dir] = h; err == nil {
			alike[l.file] = append(alike[l.file], h)
		}
	}
	var all sync.WaitGroup
	for _, same := range alike {
		all.Go(func() {
			for _, h := range same {
				h.err = h.prepare(ctx, h.dir)
			}
		})
	}
	all.Wait()
	return homes
}

// runAll tests and measures all peers, one after the other. Those whose servers cannot be
// had are named and left out.
func runAll(ctx context.Context, list []peer, out string) error {
	var errs []error
	homes := prepareAll(ctx, list)
	for _, p := range list {
		h := homes[p.directory]
		err := h.err
		switch missing := new(absent); {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case errors.As(err, missing):
			_, err = fmt.Printf("# skipped: peer=%s: %v\n", p.name, foreign.Error(missing.error))
		case err == nil:
			err = p.run(ctx, h.language, out)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}
