// Package ports finds ports for servers that cannot choose their own, and for those that
// somebody has to find gone.
package ports

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Systems give ports from 32768 on, or from 49152 on, to those who ask for any: one of those
// that was free a moment ago may be another server's by now. These they leave alone, unless
// somebody has set net.ipv4.ip_local_port_range.
const (
	first = 20000
	count = 10000
)

// tries is enough where one port in two is taken.
const tries = 50

// Free returns a TCP port of 127.0.0.1 at which nobody listens. It stays free until somebody
// asks for it by its number.
func Free() (port int, err error) {
	for range tries {
		port = first + rand.IntN(count)
		l, failed := net.Listen("tcp", at(port))
		if failed == nil {
			return port, l.Close()
		}
		err = failed
	}
	return 0, errors.Join(errors.New("no free port was found"), err)
}

// FreeAddr returns 127.0.0.1 with such a port.
func FreeAddr() (string, error) {
	port, err := Free()
	return at(port), err
}

func at(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
