package sampling

import (
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// scolding is what the runtime prints when StartCPUProfile sets its own rate after ours. The
// rate that was set first is kept, and the profile tells it.
const scolding = "runtime: cannot set cpu profile rate until previous profile has finished.\n"

// often is a rate above that of any kernel's ticks, which are 100 to 1,000 a second.
const often = 10_000

// Tick is the CPU time that a sample stands for; 0 if that is not known. The coarse clocks
// are set at each tick.
func Tick() time.Duration {
	var res unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &res); err != nil {
		return 0
	}
	return time.Duration(res.Nano())
}

// start sets the rate before StartCPUProfile does, since that takes none.
func start(w io.Writer) error {
	return withoutScolding(func() error {
		runtime.SetCPUProfileRate(often)
		return pprof.StartCPUProfile(w)
	})
}

// forward writes to the descriptor: os.Stderr may be another file, as package testing has it for
// test2json.
func forward(text string) error {
	if text == "" {
		return nil
	}
	_, err := unix.Write(unix.Stderr, []byte(text))
	return err
}

// patience bounds the wait for the end of the pipe, which a program that was started meanwhile
// has inherited.
const patience = 100 * time.Millisecond

// withoutScolding calls do, and keeps what the runtime says meanwhile from standard error.
// What others write there reaches it a little later.
func withoutScolding(do func() error) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	defer w.Close()
	kept, err := unix.FcntlInt(uintptr(unix.Stderr), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return err
	}
	defer unix.Close(kept)
	if err := unix.Dup3(int(w.Fd()), unix.Stderr, 0); err != nil {
		return err
	}
	err = do()
	if back := unix.Dup3(kept, unix.Stderr, 0); back != nil {
		return errors.Join(err, back)
	}
	w.Close()
	_ = r.SetReadDeadline(time.Now().Add(patience)) // a pipe takes deadlines
	said, _ := io.ReadAll(r)
	return errors.Join(err, forward(strings.Replace(string(said), scolding, "", 1)))
}
