package site

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// Source is what a site is made of.
type Source struct {
	Records []*history.Record // one at least, by the time of their runs
	Left    []history.Left    // files that are no records, and why
}

// ErrNone is that there is no record to make a site of.
var ErrNone = errors.New("no record that can be read: benchhistory writes them")

// Read reads records, and all records of directories. A file that cannot be read as a
// record is left out; the error is of a path that is not there, or ErrNone.
func Read(paths []string) (s Source, err error) {
	for _, path := range paths {
		if err := s.add(path); err != nil {
			return s, err
		}
	}
	slices.SortStableFunc(s.Records, func(a, b *history.Record) int {
		return cmp.Or(a.Run.Compare(b.Run), strings.Compare(filepath.Clean(a.File), filepath.Clean(b.File)))
	})
	s.Records = slices.CompactFunc(s.Records, func(a, b *history.Record) bool { return filepath.Clean(a.File) == filepath.Clean(b.File) })
	if len(s.Records) == 0 {
		return s, ErrNone
	}
	return s, nil
}

func (s *Source) add(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		records, left, err := history.ReadDir(path)
		s.Records, s.Left = append(s.Records, records...), append(s.Left, left...)
		return err
	}
	r, err := history.Read(path)
	if err != nil {
		s.Left = append(s.Left, history.Unread(path, err))
		return nil
	}
	s.Records = append(s.Records, r)
	return nil
}
