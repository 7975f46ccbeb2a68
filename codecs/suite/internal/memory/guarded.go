//go:build linux || darwin || freebsd

package memory

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// Guarded is read-only memory for one input at a time. The input ends where a page begins
// that cannot be read or written, so that the first byte behind the input is a fault.
type Guarded struct {
	memory []byte // room bytes and the page
	room   int
}

// guardedRoom is more than the largest input has, in bytes.
const guardedRoom = 16 << 20

// NewGuarded reserves the memory, which is never given back. It is an error where the
// system has no such memory.
func NewGuarded() (*Guarded, error) {
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, guardedRoom+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("memory for the inputs: %w", err)
	}
	return &Guarded{memory, guardedRoom}, protect(memory[guardedRoom:], syscall.PROT_NONE)
}

// Hold returns a copy of src in the memory. The next call overwrites the copy.
func (g *Guarded) Hold(src []byte) ([]byte, error) {
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

// Where says what a decoder of src did when it touched the address fault, which it must
// not touch.
func (g *Guarded) Where(fault uintptr, src []byte) string {
	end := uintptr(unsafe.Pointer(unsafe.SliceData(g.memory))) + uintptr(g.room)
	switch {
	case fault >= end && fault < end+uintptr(os.Getpagesize()):
		return "reads or writes behind its input"
	case fault < end && fault >= end-uintptr(len(src)):
		return "writes into its input"
	}
	return "touches memory that is not its own"
}
