package hostile

import (
	"fmt"
	"runtime"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/memory"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/race"
)

// Timeout is the time that a decoder usually has for one input before its process is
// killed.
const Timeout = 20 * time.Second

// maxDeaths is how often victims of a target are started again. Inputs behind the last
// death are left out.
const maxDeaths = 20

// Unsupported says why hostile input cannot be tried here; "" if it can.
func Unsupported() string {
	switch {
	case race.Enabled:
		return "the race detector needs more address space than victims have"
	case !memory.CanLimit:
		return runtime.GOOS + " cannot limit the memory of a victim"
	}
	return ""
}

// Attack gives a target n mutated messages in processes of their own, whose memory is
// limited: whatever a decoder does there, no other process ends.
func Attack(t Target, n int, timeout time.Duration) (v Verdict, err error) {
	for next, deaths := 0, 0; next < n; {
		if deaths == maxDeaths {
			v.LeftOut = n - next
			break
		}
		last, err := t.attackFrom(next, n, timeout, &v)
		if err != nil {
			return v, err
		}
		if next = last + 1; next < n {
			deaths++
		}
	}
	return v, nil
}

// attackFrom starts a victim on the inputs from next to n and returns the last one that
// it took.
func (t Target) attackFrom(next, n int, timeout time.Duration, v *Verdict) (last int, err error) {
	p, err := startVictim(t.ID, next, n, timeout)
	if err != nil {
		return next, err
	}
	defer p.killer.Stop()
	s, err := p.follow(next-1, v)
	if err != nil {
		p.cmd.Process.Kill()
	}
	death := p.cmd.Wait()
	switch {
	case err != nil:
		return s.last, fmt.Errorf("%s: %w", t.ID, err)
	case s.ended && death == nil:
		return s.last, nil
	case s.last < next:
		return s.last, fmt.Errorf("%s: the victim took no input: %s", t.ID, p.reason(death))
	}
	v.Killed++
	v.worse(badDeath, fmt.Sprintf("%sinput %d, %s: %s", s.after(), s.last, s.about, p.reason(death)))
	return s.last, nil
}
