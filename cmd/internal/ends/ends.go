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
// closed (SIGHUP), unless nohup has that ignored. A second SIGINT ends the process at once.
// Context is for main, which starts the command's children: a child dies with the thread
// that has started it, so that the main goroutine keeps its thread. From then on, writing
// to a pipe that nobody reads is an error and does not end the process.
func Context() (ctx context.Context, stop context.CancelFunc) {
	runtime.LockOSThread()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, heed := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, heed) // the next one does what it does to any process
	others := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		others = append(others, syscall.SIGHUP)
	}
	ctx, ignore := signal.NotifyContext(ctx, others...)
	return ctx, func() { ignore(); heed() }
}
