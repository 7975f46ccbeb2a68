package trial

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSaidOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ about, sent, came, want string }{
		{"a broker, of whose greeting the first bytes were kept", "", `INFO {"server_id":"NCVIAPUNU5PUQ5XLKPQMCYZ`, "a NATS broker answers there"},
		{"a broker, with all of its greeting", "", "INFO {}\r\n", "a NATS broker answers there"},
		{"another text that begins alike", "", "INFORMATION\r\n", `it answers "INFORMATION"`},
		{"an echo", "abcdef", "abcdef", "it sends back what it is sent: is it an echo server?"},
		{"garbage", "", "\x81\x00", `its answer begins with "\x81\x00"`},
	} {
		assert.Equal(t, c.want, saidOf([]byte(c.sent), []byte(c.came)), c.about)
	}
}
