package link

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
	"golang.zx2c4.com/wireguard/tun"
)

// device is a TUN device, which goes when its file is closed.
type device struct {
	tun.Device
	fd   int
	name string
}

const node = "/dev/net/tun"

// queueLen is how many segments the kernel keeps for the process that carries, instead of
// 500. Each may have 64 KiB, and it must not run out while that process waits for a CPU.
const queueLen = 10_000

// newDevice makes a device in the namespace of the calling thread and gives it an address.
// The kernel hands over segments of up to 64 KiB, which the library cuts into packets.
func newDevice(addr net.IP, mtu int) (d *device, err error) {
	d = &device{}
	if d.fd, err = unix.Open(node, unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return nil, lacksNode(err)
	}
	kind, err := unix.NewIfreq("line%d")
	if err != nil {
		return nil, err
	}
	kind.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI | unix.IFF_VNET_HDR)
	if err := unix.IoctlIfreq(d.fd, unix.TUNSETIFF, kind); err != nil {
		return nil, fmt.Errorf("make a TUN device: %w", err)
	}
	if d.Device, d.name, err = tun.CreateUnmonitoredTUNFromFD(d.fd); err != nil {
		return nil, fmt.Errorf("make a TUN device: %w", err)
	}
	noIPv6(d.name)
	_ = configure(d.name, unix.SIOCSIFTXQLEN, queueLen) // only root of the machine may
	if err := setUp(d.name, addr, mtu); err != nil {
		return nil, fmt.Errorf("set up the TUN device: %w", err)
	}
	return d, nil
}

func lacksNode(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENODEV), errors.Is(err, unix.ENXIO):
		return fmt.Errorf("it takes %s, of the kernel's module tun (modprobe tun; of a container --device %[1]s): %w", node, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: this user may not open it, or the container does not allow it: %w", node, err)
	}
	return fmt.Errorf("%s: %w", node, err)
}

// noIPv6 keeps the kernel from sending packets of its own, which would shift those that are
// lost. A kernel without IPv6 sends none.
func noIPv6(device string) {
	_ = os.WriteFile(filepath.Join("/proc/sys/net/ipv6/conf", device, "disable_ipv6"), []byte("1"), 0)
}

// setUp gives a device its address and what else it needs. It is what ip addr add and ip
// link set do.
func setUp(name string, addr net.IP, mtu int) error {
	err := configure(name, unix.SIOCSIFMTU, uint32(mtu))
	if err == nil {
		err = address(name, unix.SIOCSIFADDR, addr)
	}
	if err == nil {
		err = address(name, unix.SIOCSIFNETMASK, net.IP(net.CIDRMask(prefixLen, 32)))
	}
	if err == nil {
		err = up(name)
	}
	return err
}

// loopbackUp sets up the loopback interface of the calling thread's namespace.
func loopbackUp() error { return up("lo") }

func up(device string) error {
	return request(device, unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP | unix.IFF_RUNNING); return nil })
}

func configure(device string, what uint, value uint32) error {
	return request(device, what, func(r *unix.Ifreq) error { r.SetUint32(value); return nil })
}

func address(device string, what uint, ip net.IP) error {
	return request(device, what, func(r *unix.Ifreq) error { return r.SetInet4Addr(ip.To4()) })
}

// request asks the kernel to change a device of the calling thread's namespace.
func request(device string, what uint, set func(*unix.Ifreq) error) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	r, err := unix.NewIfreq(device)
	if err == nil {
		err = set(r)
	}
	if err == nil {
		err = unix.IoctlIfreq(s, what, r)
	}
	return err
}

// The kernel's settings of TCP, of the calling thread's namespace.
const (
	settings   = "/proc/sys/net/ipv4/"
	rmem       = "tcp_rmem" // least, usual and most bytes of a connection
	wmem       = "tcp_wmem"
	congestion = "tcp_congestion_control"
)

// TCP says how the kernel of this machine sets up TCP in this process's namespace.
func TCP() string {
	return fmt.Sprintf("congestion control %s, at most %s bytes received and %s sent for a connection", setting(congestion, 0), setting(rmem, 2), setting(wmem, 2))
}

// Steady reports whether TCP of this machine does not slow down when a few packets are lost:
// BBR measures what a connection carries, and the others take a loss for a full queue.
func Steady() bool { return strings.HasPrefix(setting(congestion, 0), "bbr") }

// setting returns a value of a setting.
func setting(name string, at int) string {
	text, err := os.ReadFile(settings + name)
	fields := strings.Fields(string(text))
	if err != nil || len(fields) <= at {
		return "not told"
	}
	return fields[at]
}

// allowBuffers raises what TCP keeps for a connection of the calling thread's namespace to
// most.
func allowBuffers(most int) error {
	for _, name := range []string{rmem, wmem} {
		text, err := os.ReadFile(settings + name)
		if err != nil {
			return err
		}
		fields := strings.Fields(string(text))
		if n, err := strconv.Atoi(fields[len(fields)-1]); err != nil || n >= most {
			continue
		}
		fields[len(fields)-1] = strconv.Itoa(most)
		if err := os.WriteFile(settings+name, []byte(strings.Join(fields, " ")), 0); err != nil {
			return err
		}
	}
	return nil
}

// overflows returns the packets that the device's queue or its receiver had no room for. The
// calling thread is in the device's namespace.
func (d *device) overflows() (int64, error) {
	text, err := os.ReadFile("/proc/thread-self/net/dev")
	if err != nil {
		return 0, err
	}
	return dropped(string(text), d.name)
}

// dropped reads the counters of a device: name: bytes packets errors drops and four more of
// what it received, and then the same of what it sent.
func dropped(text, device string) (sum int64, err error) {
	for l := range strings.Lines(text) {
		name, rest, _ := strings.Cut(strings.TrimSpace(l), ":")
		fields := strings.Fields(rest)
		if name != device || len(fields) < 12 {
			continue
		}
		for _, at := range []int{2, 3, 10, 11} {
			n, err := strconv.ParseInt(fields[at], 10, 64)
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	}
	return 0, fmt.Errorf("the namespace has no device %s", device)
}
