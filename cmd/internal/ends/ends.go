// Package ends is how commands end: at a signal in their own way, and their children
// with them.
package ends

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// Context ends with the first interrupt (SIGINT, SIGTERM), or when the terminal is
// closed (SIGHUP), unless nohup has that ignored. It is for main, which starts the
// command's children: a child dies with the thread that has started it, so that
// the main goroutine keeps its thread. From then on, writing to a pipe that nobody
// reads is an error and does not end the process.
func Context() (ctx context.Context, stop context.CancelFunc) {
	runtime.LockOSThread()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(context.Background(), signals...)
}
