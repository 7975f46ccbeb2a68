//go:build linux || darwin || freebsd

package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
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

// startThreads starts eight threads at a time, which end.
func startThreads([]byte) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			runtime.LockOSThread()
			time.Sleep(time.Millisecond)
		})
	}
	all.Wait()
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
		fake("dies", func([]byte, any, error) error { os.Exit(4); return nil }),
		onError("hangs", func([]byte) { time.Sleep(time.Hour) }),
		touchy(),
		onError("threads", startThreads),
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
		{"nor are threads", "threads", Safe, "^$", false},
		{"a panic is counted and ends nothing", "panics", Panics, `^input \d+, .*: (invalid|unexpected)`, false},
		{"its text makes no line of its own", "forges", Panics, `^input 0, truncated: one\\nBenchmarkX 1 1 ns/op \\x1b\[2J$`, false},
		{"so is one of what is read in place", "touchy", Panics, `^input 2, truncated: .*unexpected end`, false},
		{"a death is counted, and the inputs after it are tried", "kills", Kills, "^input 0, truncated: runtime: out of memory", false},
		{"memory taken from the system is counted", "uses", Kills, `^input 0, truncated: took (299|30\d) MiB$`, true},
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
			v, err := attackAll(find(row.entry), n, time.Minute)
			require.NoError(t, err)
			assert.Equal(t, row.want, v.hazard(), "%+v", v)
			assert.Regexp(t, row.worst, v.Worst)
			assert.Equal(t, n, v.inputs(), "%+v", v)
			assert.NotZero(t, v.OK+v.Errors, "%+v", v)
		})
	}
}

// touchy is a fake of a format that is read in place: only reading finds what is wrong.
func touchy() Entry {
	e := fake("touchy", good)
	e.Small = Of(func() Serializer[messages.Small] {
		wrong := error(nil)
		return Serializer[messages.Small]{
			Marshal: func(m *messages.Small) ([]byte, error) { return json.Marshal(m) },
			Unmarshal: func(src []byte, m *messages.Small) error {
				wrong = json.Unmarshal(src, m)
				return nil
			},
			Touch: func(*messages.Small) uint64 {
				if wrong != nil {
					panic(wrong)
				}
				return 1
			},
		}
	})
	return e
}

// TestDeathsAndDelays has a decoder that ends its process every time, and one that does
// not come back.
func TestDeathsAndDelays(t *testing.T) {
	if why := noVictims(); why != "" {
		t.Skip(why)
	}
	entries := map[string]Entry{}
	for _, e := range hostiles() {
		entries[e.Codec] = e
	}
	v, err := attackAll(entries["dies"], victimDeaths+5, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, verdict{Killed: victimDeaths, LeftOut: 5, Worst: "input 0, truncated: ended its process, exit status 4", badness: 4}, v)
	v, err = attackAll(entries["hangs"], 1, time.Second)
	require.NoError(t, err)
	assert.Equal(t, "input 0, truncated: took longer than 1s", v.Worst)
	_, err = attackAll(Entry{Codec: "unknown"}, 1, time.Minute)
	assert.EqualError(t, err, `unknown: the victim took no input: ended its process, exit status 2: no entry "unknown"`)
}
