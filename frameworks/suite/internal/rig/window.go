package rig

import (
	"cmp"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// tcpWindows returns the receive windows that the kernels of both sides advertised last on
// the busiest connection, for a case in which windows count. They are not known where another
// process has the connections, or where the system does not tell them.
func (r *Round) tcpWindows() (w sockets.Windows) {
	if !r.Benchmark.Windowed || r.Window == "" && !r.Network.Linked() {
		return w
	}
	ports, err := sockets.PortsOf(r.Dialed...)
	if err == nil {
		w, err = sockets.OwnWindows(ports)
	}
	if err != nil {
		return sockets.Windows{}
	}
	return used(w)
}

// firstWindow is the largest window in bytes with which a connection begins.
const firstWindow = 64 << 10

// used returns the windows of the ways by which a connection has carried more than its first
// window. Another window tells nothing: transfers had connections of their own, or the way
// has acknowledgements alone.
func used(w sockets.Windows) sockets.Windows {
	if w.Received <= firstWindow {
		w.Own = 0
	}
	if w.Sent <= firstWindow {
		w.Peer = 0
	}
	return w
}

// ComparedWindow is the key of the window, if -window has all frameworks measured with the
// same ones. It is empty if the variant alone has one, as an option.
func (r *Round) ComparedWindow() string {
	if r.Window == "" || !r.Rig.Options.Windows.Given() {
		return ""
	}
	return "/window=" + r.Window
}

func windowMetrics(w sockets.Windows) (list []loadbench.Metric) {
	if w.Own > 0 {
		list = append(list, loadbench.Metric{Value: float64(w.Own), Unit: "client-window-B"})
	}
	if w.Peer > 0 {
		list = append(list, loadbench.Metric{Value: float64(w.Peer), Unit: "server-window-B"})
	}
	return list
}

// narrow says that TCP's windows are smaller than the one that the case is about, by more
// than the kernel rounds; "" if they are not, or if nothing waits for a window.
func narrow(c plan.Case, w sockets.Windows) string {
	want, err := plan.ParseSize(c.Window)
	least := cmp.Or(min(w.Own, w.Peer), w.Own, w.Peer)
	if err != nil || !c.Network.Linked() || least == 0 || 100*least >= 95*int64(want) {
		return ""
	}
	return fmt.Sprintf("TCP's window is %d bytes, so window=%s is not the limit: raise net.ipv4.tcp_rmem, or transfer more", least, c.Window)
}
