package framework

import "bytes"

// HandleEcho is called by every echo handler with the Action and the Msg of its
// request. The handler sends the action back, and reply as the Msg, or returns the error.
// For ActionInvert msg is changed in place. The reply is msg itself, or memory of its own.
func HandleEcho(action string, msg []byte) (reply []byte, err error) {
	reply, err = handle(action, msg)
	CountHandled()
	return reply, err
}

func handle(action string, msg []byte) (reply []byte, err error) {
	switch action {
	case ActionEcho, "":
		return msg, nil
	case ActionInvert:
		Invert(msg)
		return msg, nil
	case ActionFail:
		return nil, ErrAsked
	}
	if n, rest, ok := cutReply(action); ok {
		if _, err := handle(rest, msg); err != nil {
			return nil, err
		}
		return bytes.Clone(partOf(msg, n)), nil // frameworks may use the memory of a reply again
	}
	return msg, work(action)
}

// Invert inverts every bit.
func Invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}
