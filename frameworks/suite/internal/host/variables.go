package host

import (
	"cmp"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	envServe     = "RPCBENCH_SERVE"   // what a child serves
	envArg       = "RPCBENCH_ARG"     // Config.Arg
	envListen    = "RPCBENCH_LISTEN"  // the address that a child's server listens on
	envControl   = "RPCBENCH_CONTROL" // the address of its control server
	envAddrs     = "RPCBENCH_ADDRS"   // Config.Addrs
	envPort      = "RPCBENCH_PORT"    // Config.Port
	envNotBefore = "RPCBENCH_START"   // Config.NotBefore, in nanoseconds since 1970
	envProcs     = "GOMAXPROCS"
)

// EnvToken is the environment variable of the token for servers on another
// machine, see package remote. No child inherits it.
const EnvToken = "RPCBENCH_TOKEN"

// Serving returns what this process was started to serve: its parent's Config.Serve,
// or "" if Start did not start it.
func Serving() string { return os.Getenv(envServe) }

// ListenAddr returns the address on which the server of a child must listen:
// Config.Listen of its parent, the far end of Config.Link, or the loopback interface.
// The port is Config.Port. A path has none.
func ListenAddr() string {
	if path := os.Getenv(envListen); isPath(path) {
		return path
	}
	return addrOf(envListen, os.Getenv(envPort))
}

// isPath reports whether an address is the path of a Unix socket.
func isPath(addr string) bool { return strings.HasPrefix(addr, "/") }

// Addrs returns at how many addresses the server of a child should listen: Config.Addrs of
// its parent.
func Addrs() int {
	n, _ := strconv.Atoi(os.Getenv(envAddrs)) // 0 if it is not set
	return max(n, 1)
}

func addrOf(envIP, port string) string {
	return net.JoinHostPort(cmp.Or(os.Getenv(envIP), "127.0.0.1"), cmp.Or(port, "0"))
}

// untilStart returns how long this child waits before it starts its server.
func untilStart() time.Duration {
	ns, _ := strconv.ParseInt(os.Getenv(envNotBefore), 10, 64) // 0 if it is not set
	return time.Until(time.Unix(0, ns))
}
