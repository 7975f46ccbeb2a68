// Package metadata makes and checks the entries that calls carry beside their messages, for
// adapters of frameworks that have metadata, headers or attachments.
//
// An entry is a name and a value. A client sends the Entries of its Calls with each call by the
// framework's own means, the server sends those of OwnOf back with the reply, and the client
// has Check or Same compare what came.
package metadata

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Set says which entries the calls of a variant carry. The zero Set is none.
type Set struct {
	Entries int // of each call, both ways; from 0 to MostEntries
	Bytes   int // of each value, from 0 to MostBytes; names have NameBytes
	// Binary says that values have bytes of any kind, and that names end in BinarySuffix.
	// Otherwise values are of digits and small letters.
	Binary bool
	// Fresh says that no two calls of a client have the same values. Otherwise the values are
	// the same in all calls.
	Fresh bool
}

// Bounds and defaults of sets.
const (
	DefaultBytes = 24      // of a value: between the ID of a request and a short token
	MostEntries  = 9999    // as many as names have numbers for
	MostBytes    = 1 << 20 // of a value
	leastFresh   = 8       // bytes of a value that no other call has

	prefix = "x-entry-"
	digits = 4
	// NameBytes is how many bytes a name has, as in x-entry-0001.
	NameBytes = len(prefix) + digits
	// BinarySuffix is how gRPC, and what follows it, tells that a value is not text.
	BinarySuffix = "-bin"
)

// Words behind the numbers.
const (
	binaryWord = "-binary"
	freshWord  = "-fresh"
)

var errForm = errors.New("must be ENTRIES or ENTRIES:BYTES, with -binary or -fresh behind it or both in this order, as in 20, 20:256B or 20-fresh")

// Read reads a value of metadata=, as in 20, 20:256B or 20-binary-fresh: entries, bytes of a value,
// and kinds of values. 0 is the zero Set.
func Read(text string) (s Set, err error) {
	rest, fresh := strings.CutSuffix(text, freshWord)
	rest, binary := strings.CutSuffix(rest, binaryWord)
	count, size, sized := strings.Cut(rest, ":")
	s = Set{Bytes: DefaultBytes, Binary: binary, Fresh: fresh}
	if s.Entries, err = number(count); err == nil && sized {
		s.Bytes, err = bytes(size)
	}
	if err == nil {
		err = s.check(sized)
	}
	if err != nil {
		return Set{}, fmt.Errorf("metadata=%s: %w", text, err)
	}
	if s.Entries == 0 {
		return Set{}, nil
	}
	return s, nil
}

func (s Set) check(sized bool) error {
	switch {
	case s.Entries > MostEntries:
		return fmt.Errorf("must be from 0 to %d entries", MostEntries)
	case s.Bytes > MostBytes:
		return fmt.Errorf("values must be of 0B to %s", sizeText(MostBytes))
	case s.Entries == 0 && (sized || s.Binary || s.Fresh):
		return errors.New("0 entries have no values to say something about: write 0")
	case s.Fresh && s.Bytes < leastFresh:
		return fmt.Errorf("values that differ in all calls need %d bytes", leastFresh)
	}
	return nil
}

// number reads a number as String writes it.
func number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return 0, errForm
	}
	return n, nil
}

// bytes reads a size as String writes it, or in bytes.
func bytes(text string) (int, error) {
	unit := 1
	digits, kib := strings.CutSuffix(text, "KiB")
	if kib {
		unit = 1 << 10
	} else if digits, kib = strings.CutSuffix(text, "B"); !kib {
		return 0, fmt.Errorf("%q is not a size: use a whole number and B or KiB, as in 256B or 1KiB", text)
	}
	n, err := number(digits)
	return min(n, MostBytes+1) * unit, err
}

// String is the value of metadata=. That of the zero Set is "".
func (s Set) String() string {
	if s.Entries == 0 {
		return ""
	}
	text := strconv.Itoa(s.Entries)
	if s.Bytes != DefaultBytes {
		text += ":" + sizeText(s.Bytes)
	}
	if s.Binary {
		text += binaryWord
	}
	if s.Fresh {
		text += freshWord
	}
	return text
}

func sizeText(n int) string {
	if n > 0 && n%(1<<10) == 0 {
		return strconv.Itoa(n>>10) + "KiB"
	}
	return strconv.Itoa(n) + "B"
}

// Entry is how many bytes the name and the value of an entry have.
func (s Set) Entry() int {
	if s.Binary {
		return NameBytes + len(BinarySuffix) + s.Bytes
	}
	return NameBytes + s.Bytes
}

// Size is how many bytes all names and values have, one way.
func (s Set) Size() int { return s.Entries * s.Entry() }
