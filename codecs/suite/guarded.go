//go:build linux || darwin || freebsd

package suite

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// guarded is memory that holds one input at a time: at its end, in front of a page
// that nobody may touch, and read-only.
type guarded struct {
	memory []byte
	room   int // bytes in front of the page
}

// guardedRoom is more than the largest input.
const guardedRoom = 16 << 20

func newGuarded() (*guarded, error) {
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, guardedRoom+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("memory for the inputs: %w", err)
	}
	return &guarded{memory, guardedRoom}, protect(memory[guardedRoom:], syscall.PROT_NONE)
}

// hold returns a copy of src there. It is valid until the next.
func (g *guarded) hold(src []byte) ([]byte, error) {
	if len(src) > g.room {
		return nil, fmt.Errorf("an input of %d bytes: too many", len(src))
	}
	if len(src) == 0 {
		return g.memory[g.room:g.room:g.room], nil
	}
	from := g.room - len(src)
	pages := g.memory[from/os.Getpagesize()*os.Getpagesize() : g.room]
	if err := protect(pages, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		return nil, err
	}
	held := g.memory[from:g.room:g.room]
	copy(held, src)
	return held, protect(pages, syscall.PROT_READ)
}

// where says what an address that must not be touched is to an input.
func (g *guarded) where(fault uintptr, src []byte) string {
	end := uintptr(unsafe.Pointer(unsafe.SliceData(g.memory))) + uintptr(g.room)
	switch {
	case fault >= end && fault < end+uintptr(os.Getpagesize()):
		return "reads or writes behind its input"
	case fault < end && fault >= end-uintptr(len(src)):
		return "writes into its input"
	}
	return "touches memory that is not its own"
}
