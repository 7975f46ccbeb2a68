//go:build linux || darwin || freebsd

package suite

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onError is a fake that does something when an input cannot be decoded, and else is
// as good as any.
func onError(name string, do func(src []byte)) Entry {
	return fake(name, func(src []byte, _ any, err error) error {
		if truncated(err) && len(src) > 0 {
			do(src)
		}
		return err
	})
}

// take maps memory and gives it back, of which it uses a part.
func take(size, used int) {
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	for i := 0; i < used; i += os.Getpagesize() {
		memory[i] = 1
	}
	syscall.Munmap(memory)
}

func after(src []byte, n int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), len(src)+n))
}

// hostiles are decoders with one fault each.
func hostiles() []Entry {
	return []Entry{
		onError("reserves", func([]byte) { take(2<<30, 0) }),
		onError("uses", func([]byte) { take(300<<20, 300<<20) }),
		onError("allocates", func([]byte) { runtime.KeepAlive(make([]byte, 300<<20)) }),
		onError("overreads", func(src []byte) { runtime.KeepAlive(*after(src, 0)) }),
		onError("overwrites", func(src []byte) { *after(src, 9) = 1 }),
		onError("writes", func(src []byte) { src[0] ^= 1 }),
		onError("wanders", func(src []byte) { *after(src, -1<<45) = 1 }),
		onError("leaves", func([]byte) {
			go func() {
				time.Sleep(5 * time.Millisecond)
				panic("late")
			}()
		}),
		onError("times", func([]byte) { time.AfterFunc(20*time.Millisecond, func() { panic("in the end") }) }),
		onError("exits", func([]byte) { os.Exit(0) }),
		onError("exits3", func([]byte) { fmt.Fprintln(os.Stderr, "enough\nof this"); os.Exit(3) }),
		onError("forges", func([]byte) { panic("one\nBenchmarkX 1 1 ns/op \x1b[2J") }),
		onError("prints", func([]byte) { fmt.Println("99 {\"what\":\"ok\"}\nnonsense") }),
	}
}

// TestHostile gives each fake 36 inputs, of which three are cut.
func TestHostile(t *testing.T) {
	if why := noVictims(); why != "" {
		t.Skip(why)
	}
	find := func(name string) Entry {
		for _, e := range append(hostiles(), fakes...) {
			if e.Codec == name {
				return e
			}
		}
		panic(name)
	}
	for _, row := range []struct {
		about, entry string
		want         Hazard
		worst        string // a regular expression
		linux        bool   // what is known on Linux alone
	}{
		{"errors are not held against it", "good", Safe, "^$", false},
		{"nor is what it prints", "prints", Safe, "^$", false},
		{"a panic is counted and ends nothing", "panics", Panics, `^input \d+, .*: (invalid|unexpected)`, false},
		{"its text makes no line of its own", "forges", Panics, `^input 0, truncated: one\\nBenchmarkX 1 1 ns/op \\x1b\[2J$`, false},
		{"a death is counted, and the inputs after it are tried", "kills", Kills, "^input 0, truncated: runtime: out of memory", false},
		{"memory taken from the system is counted", "uses", Kills, `^input 0, truncated: took 300 MiB$`, true},
		{"so is what it only reserves", "reserves", Kills, `^input 0, truncated: took 20\d\d MiB$`, true},
		{"and what it allocates", "allocates", Kills, `^input 0, truncated: took 30\d MiB$`, false},
		{"reading past the input", "overreads", Kills, "^input 0, truncated: reads or writes behind its input$", false},
		{"writing past it", "overwrites", Kills, "^input 0, truncated: reads or writes behind its input$", false},
		{"writing into it", "writes", Kills, "^input 0, truncated: writes into its input$", false},
		{"writing anywhere", "wanders", Kills, "^input 0, truncated: touches memory that is not its own$", false},
		{"a panic of a goroutine that it leaves behind", "leaves", Kills, `^(after )?input \d+, .*: panic: late`, false},
		{"a panic of a timer, after the last input", "times", Kills, "^(after )?input .*: panic: in the end", false},
		{"ending the process as if all were well", "exits", Kills, "^input 0, truncated: ended its process, exit status 0$", false},
		{"ending it with a word", "exits3", Kills, "^input 0, truncated: ended its process, exit status 3: enough$", false},
	} {
		t.Run(row.about, func(t *testing.T) {
			if row.linux && runtime.GOOS != "linux" {
				t.Skip("the peak of the memory is known on Linux alone")
			}
			const n = 36
			v, err := attackAll(find(row.entry), n)
			require.NoError(t, err)
			assert.Equal(t, row.want, v.hazard(), "%+v", v)
			assert.Regexp(t, row.worst, v.Worst)
			assert.Equal(t, n, v.inputs(), "%+v", v)
			assert.NotZero(t, v.OK+v.Errors, "%+v", v)
		})
	}
}
