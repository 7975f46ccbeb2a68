package guest

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/rpc"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// Modules is a file that names those of the kernel, in the order in which they are loaded.
	Modules = "/modules"
	// Ready is the byte that comes over the serial line before anything is asked.
	Ready = 'R'
	line  = "/dev/ttyS1"
)

// Boot makes a machine of a kernel that has just started, and does what is asked until the
// machine is switched off.
func Boot() error {
	if err := errors.Join(mount(), load()); err != nil {
		return err
	}
	tty, err := open()
	if err != nil {
		return err
	}
	if err := rpc.Register(new(Agent)); err != nil {
		return err
	}
	if _, err := tty.Write([]byte{Ready}); err != nil {
		return err
	}
	rpc.ServeConn(tty)
	return errors.New("nobody asks any more")
}

func mount() (err error) {
	for path, kind := range map[string]string{"/proc": "proc", "/sys": "sysfs", "/dev": "devtmpfs", "/tmp": "tmpfs"} {
		err = cmp.Or(err, os.MkdirAll(path, 0o755), unix.Mount(kind, path, kind, 0, ""))
	}
	return err
}

// load loads the modules of the kernel.
func load() error {
	list, err := os.ReadFile(Modules)
	if err != nil {
		return err
	}
	for _, path := range strings.Fields(string(list)) {
		module, err := os.ReadFile(path)
		if err = cmp.Or(err, unix.InitModule(module, "")); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// open opens the serial line, which changes no byte from then on.
func open() (*os.File, error) {
	tty, err := os.OpenFile(line, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	mode, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		return nil, err
	}
	mode.Iflag, mode.Oflag, mode.Lflag = 0, 0, 0
	mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 1, 0
	return tty, unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, mode)
}

// Join gives the machine its name and its address.
func (a *Agent) Join(h Host, _ *bool) error {
	return errors.Join(unix.Sethostname([]byte(h.Name)), up("lo", "127.0.0.1"), up("eth0", h.Addr))
}

// up has an interface receive, with an address in a network of 256.
func up(name, addr string) error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	r, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	set := func(what uint, ip net.IP) error {
		return cmp.Or(r.SetInet4Addr(ip.To4()), unix.IoctlIfreq(socket, what, r))
	}
	err = cmp.Or(set(unix.SIOCSIFADDR, net.ParseIP(addr)), set(unix.SIOCSIFNETMASK, net.IPv4(255, 255, 255, 0)))
	r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return cmp.Or(err, unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, r))
}

// Clock sets the clock of the machine.
func (a *Agent) Clock(now time.Time, _ *bool) error {
	t := unix.NsecToTimeval(now.UnixNano())
	return unix.Settimeofday(&t)
}
