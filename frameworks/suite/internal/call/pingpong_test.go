package call

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
)

// faulty passes messages through and changes the fiftieth. change gets that message and
// the next one.
func faulty(change func(fiftieth, next framework.EchoMessage) []framework.EchoMessage) func(framework.EchoMessage) []framework.EchoMessage {
	n, held := 0, framework.EchoMessage{}
	return func(m framework.EchoMessage) []framework.EchoMessage {
		switch n++; n {
		case 50:
			held = m
			return nil
		case 51:
			return change(held, m)
		default:
			return []framework.EchoMessage{m}
		}
	}
}

func TestOneWayNoticesFaults(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(a, b framework.EchoMessage) []framework.EchoMessage
		say    string
	}{
		{"all arrive", func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b} }, ""},
		{"one is lost", func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{b} }, "63 messages with 4032 bytes"},
		{"one comes twice", func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b, b} }, "65 messages with 4160 bytes"},
		{"one overtakes another", func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{b, a} }, "arrived in their order"},
		{"a byte is changed", func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Msg[40]++
			return []framework.EchoMessage{a, b}
		}, "arrived in their order"},
	} {
		t.Run(c.about, func(t *testing.T) {
			j, err := PrepareOneWay(t.Context(), fakes.PipeClient{Fault: faulty(c.change)}, Requests{Workers: 1, Size: 64})
			require.NoError(t, err)
			errs := callTimes(t, j, 2*AckEvery)
			if c.say == "" {
				assert.NoError(t, errs)
			} else {
				assert.ErrorContains(t, errs, c.say)
			}
		})
	}
}

func TestPingPongNoticesFaults(t *testing.T) {
	for _, c := range []struct {
		about string
		fault func(framework.EchoMessage) []framework.EchoMessage
		say   string
	}{
		{"all is well", func(m framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{m} }, ""},
		{"it is lost", func(framework.EchoMessage) []framework.EchoMessage { return nil }, "EOF"},
		{"it comes twice", func(m framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{m, m} }, "not what was sent"},
		{"a byte is changed", func(m framework.EchoMessage) []framework.EchoMessage {
			m.Msg[40]++
			return []framework.EchoMessage{m}
		}, "not what was sent"},
		{"it has another action", func(m framework.EchoMessage) []framework.EchoMessage {
			m.Action = ""
			return []framework.EchoMessage{m}
		}, "not what was sent"},
		{"it is cut", func(m framework.EchoMessage) []framework.EchoMessage {
			m.Msg = m.Msg[1:]
			return []framework.EchoMessage{m}
		}, "a message of 63 bytes"},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j, err := PreparePingPong(t.Context(), fakes.PipeClient{Fault: c.fault}, Requests{Workers: 1, Size: 64})
				require.NoError(t, err)
				errs := callTimes(t, j, 2)
				if c.say == "" {
					assert.NoError(t, errs)
				} else {
					assert.ErrorContains(t, errs, c.say)
				}
			})
		})
	}
}

func callTimes(t *testing.T, j Job, n int) (errs error) {
	for range n {
		err := j.Call(t.Context(), 0)
		if err == nil && j.Check != nil {
			err = j.Check(0)
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

func TestTransfersAreCompared(t *testing.T) {
	for _, c := range []struct {
		about   string
		prepare func(context.Context, framework.Client, Requests) (Job, error)
		change  func(a, b framework.EchoMessage) []framework.EchoMessage
		intact  bool
	}{
		{"a continued stream", prepareStream, func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b} }, true},
		{"a stream of its own", prepareStreamNew, func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b} }, true},
		{"one way", prepareTransferOneWay, func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b} }, true},
		{"one way, a byte is changed", prepareTransferOneWay, func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Msg[40]++
			return []framework.EchoMessage{a, b}
		}, false},
		{"chunks change places", prepareStream, func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{b, a} }, false},
		{"a byte is changed", prepareStreamNew, func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Msg[40]++
			return []framework.EchoMessage{a, b}
		}, false},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j, err := c.prepare(t.Context(), fakes.PipeClient{Fault: faulty(c.change)}, Requests{Workers: 1, Size: 100 * 64, Chunk: 64})
				require.NoError(t, err)
				require.NoError(t, j.Call(t.Context(), 0))
				if c.intact {
					require.NoError(t, j.Call(t.Context(), 0), "what came before is not part of it: warm-up is not checked")
				}
				assert.Equal(t, c.intact, j.Check(0) == nil)
			})
		})
	}
}

// What a transfer received would otherwise stay in memory until the next.
func TestATransferIsForgottenOnceCompared(t *testing.T) {
	tr := newTransfers(Requests{Workers: 1, Size: 100, Chunk: 60})[0]
	tr.got = [][]byte{tr.turn.request.Msg[:60], tr.turn.request.Msg[60:]}
	require.NoError(t, tr.intact())
	assert.Equal(t, [][]byte{nil, nil}, tr.got)
}
