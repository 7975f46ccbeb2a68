//go:build linux || darwin || freebsd

package hostile

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// onError is a fake that does something when an input was cut, and else is good.
func onError(name string, do func(src []byte)) Target {
	return fake(name, func(src []byte, err error) error {
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

// faulty are decoders with one fault each.
func faulty() []Target {
	return []Target{
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
		fake("dies", func([]byte, error) error { os.Exit(4); return nil }),
		onError("hangs", func([]byte) { time.Sleep(time.Hour) }),
		onError("threads", startThreads),
		onError("prints", func([]byte) { fmt.Println("99 {\"what\":\"ok\"}\nnonsense") }),
	}
}
