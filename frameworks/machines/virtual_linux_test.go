package machines

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/rpc"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/machines/guest"
)

// soon bounds what takes some seconds on a free machine. On a busy one it has taken 80.
const soon = 5 * time.Minute

// machine is a virtual one.
type machine struct {
	*rpc.Client
	guest.Host
	line, monitor net.Conn      // to the first process, and to qemu
	said          *json.Decoder // what qemu says; it may have read more than has been asked for
}

// boot starts machines that are on one cable, and waits until they can be told what to do.
func boot(t *testing.T, hosts [2]guest.Host) (list [2]*machine) {
	dir, err := os.MkdirTemp("", "vm") // the path of a socket is short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	k := unpacked(t)
	require.NoError(t, os.WriteFile(dir+"/initramfs", initramfs(t, k), 0o600))
	for i, h := range hosts {
		list[i] = &machine{Host: h}
		list[i].start(t, dir, k.image(t), hosts[1-i].Name)
	}
	for _, m := range list {
		m.join(t)
	}
	return list
}

// On a busy machine a kernel finds no interrupts of its timer, and another frequency of the CPU
// than there is: it is to look for neither.
const commandLine = "console=ttyS0 panic=-1 random.trust_cpu=on no_timer_check clocksource=hpet tsc=unstable"

// start starts qemu, which ends with the test. It emulates the CPU: KVM is not everywhere.
func (m *machine) start(t *testing.T, dir, image, peer string) {
	cmd := exec.Command("qemu-system-x86_64", "-accel", "tcg", "-m", "512", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-kernel", image, "-initrd", "initramfs", "-append", commandLine,
		"-serial", "file:"+m.Name+".console", "-serial", "unix:"+m.Name+".line,server=on,wait=off", "-qmp", "unix:"+m.Name+".monitor,server=on,wait=off",
		"-netdev", fmt.Sprintf("dgram,id=cable,local.type=unix,local.path=%s.net,remote.type=unix,remote.path=%s.net", m.Name, peer),
		"-device", "virtio-net-pci,netdev=cable,romfile=,mac=52:54:00:00:00:"+m.Addr[len(m.Addr)-1:]+"0")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // where go test ends in a panic
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // there is nothing to save
		_ = cmd.Wait()
		if t.Failed() {
			said := read(t, filepath.Join(dir, m.Name+".console"))
			t.Logf("the end of what %s said: %s", m.Name, said[max(0, len(said)-500):])
		}
	})
	// Qemu drops what a machine says before somebody listens.
	m.line, m.monitor = dial(t, filepath.Join(dir, m.Name+".line")), dial(t, filepath.Join(dir, m.Name+".monitor"))
	m.said = json.NewDecoder(m.monitor)
}

// join waits for the first process of a machine, and has it join the network.
func (m *machine) join(t *testing.T) {
	require.NoError(t, m.line.SetReadDeadline(time.Now().Add(soon)))
	for b := [1]byte{}; b[0] != guest.Ready; {
		_, err := io.ReadFull(m.line, b[:])
		require.NoError(t, err, m.Name)
	}
	require.NoError(t, m.line.SetReadDeadline(time.Time{}))
	m.Client = rpc.NewClient(m.line)
	m.do(t, "Join", m.Host)
	m.clock(t, 0)
	m.ask(t, "qmp_capabilities", map[string]any{})
}

// dial waits for a socket of qemu.
func dial(t *testing.T, path string) (conn net.Conn) {
	require.Eventually(t, func() (ready bool) {
		var err error
		conn, err = net.Dial("unix", path)
		return err == nil
	}, soon, 10*time.Millisecond, path)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// ask asks qemu itself. Of what it says, the answer alone has a member return or error.
func (m *machine) ask(t *testing.T, what string, arguments map[string]any) {
	require.NoError(t, json.NewEncoder(m.monitor).Encode(map[string]any{"execute": what, "arguments": arguments}))
	require.NoError(t, m.monitor.SetReadDeadline(time.Now().Add(soon)))
	for {
		var answer map[string]any
		require.NoError(t, m.said.Decode(&answer))
		require.Nil(t, answer["error"])
		if answer["return"] != nil {
			return
		}
	}
}

// plug puts the cable in, or pulls it.
func (m *machine) plug(t *testing.T, in bool) {
	m.ask(t, "set_link", map[string]any{"name": "cable", "up": in})
}

// clock sets the clock of a machine ahead of this one's. A machine that was slow to set it has a clock
// that is behind by as much, so that it is set again.
func (m *machine) clock(t *testing.T, ahead time.Duration) {
	for over := time.Now().Add(soon); ; {
		now := time.Now()
		if m.do(t, "Clock", now.Add(ahead)); time.Since(now) < 200*time.Millisecond {
			return
		}
		require.True(t, now.Before(over), "%s is too slow for its clock to be set", m.Name)
	}
}

// do calls a method of the machine's first process, which answers at once.
func (m *machine) do(t *testing.T, method string, args any) { ask[bool](t, m, method, args) }

func ask[R any](t *testing.T, m *machine, method string, args any) R {
	t.Helper()
	return answer[R](t, m, m.Go("Agent."+method, args, new(R), nil))
}

// answer waits for that of a method.
func answer[R any](t *testing.T, m *machine, call *rpc.Call) R {
	t.Helper()
	select {
	case <-call.Done:
		require.NoError(t, call.Error, "%s: %s", m.Name, call.ServiceMethod)
	case <-time.After(soon):
		require.Fail(t, "the machine does not answer", "%s: %s", m.Name, call.ServiceMethod)
	}
	return *call.Reply.(*R)
}

// running is a program in a machine.
type running struct {
	*machine
	guest.Said
	number int
}

func (m *machine) run(t *testing.T, args ...string) *running {
	return &running{machine: m, number: ask[int](t, m, "Start", args)}
}

// hear hears what a program has printed meanwhile.
func (r *running) hear(t *testing.T) {
	said := ask[guest.Said](t, r.machine, "Said", guest.From{Program: r.number, Byte: len(r.Text)})
	said.Text = r.Text + said.Text
	r.Said = said
}

// until waits until what a program has said is as wanted.
func (r *running) until(t *testing.T, wanted func() bool) {
	t.Helper()
	for over := time.Now().Add(soon); !wanted(); time.Sleep(100 * time.Millisecond) {
		r.hear(t)
		require.True(t, wanted() || !r.Ended && time.Now().Before(over), "%s: %s", r.Name, r.Text)
	}
}

// says waits until a program has printed a text.
func (r *running) says(t *testing.T, text string) {
	t.Helper()
	r.until(t, func() bool { return strings.Contains(r.Text, text) })
}

// end waits for the end of a program.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.until(t, func() bool { return r.Ended })
}

// children are the processes that a program has started.
func (r *running) children(t *testing.T) []string {
	return strings.Fields(ask[string](t, r.machine, "Children", r.number))
}
