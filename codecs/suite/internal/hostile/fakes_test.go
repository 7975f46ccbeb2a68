package hostile

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// fake is JSON whose decoder does something more, with the input and the error of
// decoding it.
func fake(id string, decode func(src []byte, err error) error) Target {
	t := Target{ID: id}
	for _, kind := range messages.Measured {
		t.Kinds = append(t.Kinds, Kind{kind, json.Marshal, func() Decoder {
			return func(src []byte) error { return decode(src, json.Unmarshal(src, kind.New())) }
		}})
	}
	return t
}

var good = fake("good", func(_ []byte, err error) error { return err })

// fakes are known on every system.
var fakes = []Target{
	good,
	fake("panics", func(_ []byte, err error) error {
		if err != nil {
			panic(err)
		}
		return nil
	}),
	fake("kills", func(_ []byte, err error) error {
		if truncated(err) {
			runtime.KeepAlive(make([]byte, 8<<30)) // more memory than there is
		}
		return err
	}),
}

// truncated reports whether err is of an input that was cut: about every eighth.
func truncated(err error) bool {
	return err != nil && strings.Contains(err.Error(), "unexpected end")
}

func TestMain(m *testing.M) {
	if IsVictim() {
		os.Exit(Victim(slices.Concat(fakes, faulty())))
	}
	os.Exit(m.Run())
}
