package handler

import (
	"encoding/binary"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// answersTo is what a handler sends for messages.
func answersTo(h *Stream, list ...framework.EchoMessage) (answers []framework.EchoMessage, err error) {
	for _, m := range list {
		err = h.Handle(m, func(answer framework.EchoMessage) error {
			answer.Msg = append([]byte(nil), answer.Msg...) // which the handler uses again
			answers = append(answers, answer)
			return nil
		})
		if err != nil {
			return answers, err
		}
	}
	return answers, nil
}

func TestSumsComeBack(t *testing.T) {
	var h Stream
	var want ask.Sum
	for _, b := range []string{"a", "", "bc"} {
		want.Add([]byte(b))
		answers, err := answersTo(&h, framework.EchoMessage{Action: ActionSink, Msg: []byte(b)})
		require.NoError(t, err)
		assert.Empty(t, answers)
	}
	answers, err := answersTo(&h, framework.EchoMessage{Action: ActionSum})
	require.NoError(t, err)
	require.Len(t, answers, 1)
	got, err := ask.DecodeSum(answers[0].Action, answers[0].Msg)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	_, err = ask.DecodeSum(ActionSum, nil)
	assert.ErrorContains(t, err, "a sum was asked for")
}

func TestAMessageIsSentBackManyTimes(t *testing.T) {
	msg := append(binary.LittleEndian.AppendUint64(nil, 254), "rest"...)
	answers, err := answersTo(new(Stream), framework.EchoMessage{Action: ask.Send(3), Msg: msg}, framework.EchoMessage{Action: ask.Send(2), Msg: []byte("short")})
	require.NoError(t, err)
	require.Len(t, answers, 5)
	for i, a := range answers[:3] {
		assert.Equal(t, ActionPushed, a.Action)
		assert.EqualValues(t, 254+i, binary.LittleEndian.Uint64(a.Msg), "it carries into the next byte")
		assert.Equal(t, "rest", string(a.Msg[ask.Number:]))
	}
	assert.Equal(t, framework.EchoMessage{Action: ActionPushed, Msg: []byte("short")}, answers[4], "it has no room for a number")
}

func TestWhatAStreamRefuses(t *testing.T) {
	for _, c := range []struct {
		about   string
		actions []string
		say     string
	}{
		{"messages without a number", []string{"send/many"}, `"send/many" must say how many messages`},
		{"fewer messages than none", []string{"send/-1"}, `"send/-1" must say how many messages`},
		{"a publication without a number", []string{"publish/all/g"}, `"publish/all/g" must say to how many subscribers`},
		{"more subscribers than there are", []string{ask.Publish(1, "nobody")}, "a message for 1 subscribers, of which there are 0"},
		{"messages of a subscriber", []string{ask.Subscribe("quiet"), ActionEcho}, "a subscriber sends no messages"},
		{"an action that there is not", []string{"sends/3"}, ErrNotImplemented.Error()},
	} {
		t.Run(c.about, func(t *testing.T) {
			var h Stream
			defer h.End()
			var list []framework.EchoMessage
			for _, a := range c.actions {
				list = append(list, framework.EchoMessage{Action: a})
			}
			_, err := answersTo(&h, list...)
			assert.ErrorContains(t, err, c.say)
		})
	}
}

// subscriber is a stream that has subscribed. It takes a message when it is received.
type subscriber struct {
	Stream
	received chan string
}

func subscribe(t *testing.T, group string) *subscriber {
	s := &subscriber{received: make(chan string)}
	go func() { assert.Equal(t, "hello", <-s.received) }()
	require.NoError(t, s.Handle(framework.EchoMessage{Action: ask.Subscribe(group), Msg: []byte("hello")}, func(m framework.EchoMessage) error {
		s.received <- string(m.Msg)
		return nil
	}))
	return s
}

// drain receives all further messages.
func (s *subscriber) drain() {
	go func() {
		for range s.received {
		}
	}()
}

func TestAPublicationGoesToTheFirstSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var publisher Stream
		a, b := subscribe(t, "group"), subscribe(t, "group")
		other := subscribe(t, "other")
		msg := []byte("one")
		publish := func(n int) error {
			_, err := answersTo(&publisher, framework.EchoMessage{Action: ask.Publish(n, "group"), Msg: msg})
			return err
		}
		require.NoError(t, publish(2))
		copy(msg, "two") // as frameworks use the memory again
		require.NoError(t, publish(1))
		assert.Equal(t, []string{"one", "two", "one"}, []string{<-a.received, <-a.received, <-b.received})
		a.End()
		assert.ErrorContains(t, publish(2), "of which there are 1", "one has left")
		require.NoError(t, publish(1))
		assert.Equal(t, "two", <-b.received)
		b.End()
		other.End()
		assert.Empty(t, groups.members, "a group ends with its last subscriber")
	})
}

// TestAPublisherWaitsForASlowSubscriber until the subscriber receives, or leaves.
func TestAPublisherWaitsForASlowSubscriber(t *testing.T) {
	for _, c := range []struct {
		about string
		goOn  func(s *subscriber)
		fails bool
	}{
		{"it receives", func(s *subscriber) { <-s.received }, false},
		{"it leaves", func(s *subscriber) {
			go s.End()
			synctest.Wait()
			s.drain() // sends under way end with the stream
		}, true},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := subscribe(t, "slow")
				published := 0
				var err error
				go func() {
					for ; err == nil && published < queued+2; published++ {
						_, err = answersTo(new(Stream), framework.EchoMessage{Action: ask.Publish(1, "slow")})
					}
				}()
				synctest.Wait()
				assert.Equal(t, queued+1, published, "one is being sent, and the queue is full")
				c.goOn(s)
				synctest.Wait()
				assert.Equal(t, queued+2, published)
				assert.Equal(t, c.fails, err != nil, "%v", err)
				s.drain()
				synctest.Wait()
				s.End()
				close(s.received)
			})
		})
	}
}

// TestASubscriberIsOneWhenItHasTheAnswer: what is published from then on reaches it, behind the
// answer.
func TestASubscriberIsOneWhenItHasTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var subscriber, publisher Stream
		var got []string
		send := func(m framework.EchoMessage) error {
			if got = append(got, m.Action); Subscribes(m.Action) {
				return publisher.Handle(framework.EchoMessage{Action: ask.Publish(1, "early")}, nil)
			}
			return nil
		}
		require.NoError(t, subscriber.Handle(framework.EchoMessage{Action: ask.Subscribe("early")}, send))
		synctest.Wait()
		subscriber.End()
		assert.Equal(t, []string{ask.Subscribe("early"), ActionPushed}, got)
	})
}
