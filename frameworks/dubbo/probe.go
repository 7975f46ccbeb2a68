package dubbo

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"time"

	"dubbo.apache.org/dubbo-go/v3/common/constant"
)

// A heartbeat of the Dubbo protocol, and the beginning of its answer. They consist of
// the magic number, flags with the serialization, a status, an id of 8 bytes, a length
// of 4 bytes, and the body, which is hessian2's null.
var (
	heartbeat = []byte{0xda, 0xbb, 0xe2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'N'}
	alive     = []byte{0xda, 0xbb, 0x22, 20, 0, 0, 0, 0, 0, 0, 0, 1}
)

// probe checks that a server is at addr before dubbo-go connects. dubbo-go panics if
// nobody listens. If the server has another protocol, getty connects again and again,
// and may end the process when it is closed meanwhile.
func probe(protocol, addr string, patience time.Duration) error {
	c, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return err
	}
	defer c.Close()
	if protocol != constant.DubboProtocol {
		return nil
	}
	c.SetDeadline(time.Now().Add(patience))
	if err := beat(c); err != nil {
		return fmt.Errorf("no answer to a first call, a heartbeat: %w", err)
	}
	return nil
}

func beat(c net.Conn) error {
	if _, err := c.Write(heartbeat); err != nil {
		return err
	}
	answer := make([]byte, len(alive))
	if n, err := io.ReadFull(c, answer); err != nil {
		return fmt.Errorf("%w after %q", err, answer[:n])
	}
	if !bytes.Equal(answer, alive) {
		return fmt.Errorf("%q is not of the Dubbo protocol", answer)
	}
	return nil
}
