package httpload

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
)

// Targets are the requests of a load. They are made in their order, and after the last comes
// the first again: the call of number k, see loadgen.Arrival, is of target k modulo their
// number.
type Targets struct {
	endpoints endpoints
	of        []uint8 // the endpoint of each target

	list   []parsed // all targets; or, if they are of a file,
	file   *os.File
	starts []int64 // where the text of each target begins, and the end of the last

	hosts hosts
}

// parsed is a target that was found right.
type parsed struct {
	Target
	url *url.URL
}

// List returns the targets, one at least.
func List(targets ...Target) (*Targets, error) {
	t := new(Targets)
	for i, one := range targets {
		u, err := one.check()
		switch {
		case err != nil && len(targets) == 1:
			return nil, fmt.Errorf("httpload: %w", err)
		case err != nil:
			return nil, fmt.Errorf("httpload: target %d: %w", i, err)
		}
		t.note(one.Method, u)
		t.list = append(t.list, parsed{one, u})
	}
	if len(t.of) == 0 {
		return nil, errors.New("httpload: there are no targets")
	}
	return t, nil
}

// note notes the endpoint and the host of the next target.
func (t *Targets) note(method string, u *url.URL) {
	t.of = append(t.of, t.endpoints.numberOf(endpointOf(method, u)))
	t.hosts.add(u)
}

// Len returns the number of targets.
func (t *Targets) Len() int { return len(t.of) }

// Endpoints returns the names of what has results of its own in Result.Parts, as in
// "GET /users/*": the method and the path of a request, with * for segments that are numbers or
// other identifiers. Where targets have several hosts, the host stands before the path. At
// most 49 are told apart, and what is left is "others". A load of one endpoint has no Parts.
func (t *Targets) Endpoints() []string { return t.endpoints.names() }

// Close closes the file of the targets.
func (t *Targets) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// at returns a target. Those of a file are read anew each time, into room.
func (t *Targets) at(i int, room *[]byte) (parsed, error) {
	if t.list != nil {
		return t.list[i], nil
	}
	length := int(t.starts[i+1] - t.starts[i])
	if cap(*room) < length {
		*room = make([]byte, length)
	}
	n, err := t.file.ReadAt((*room)[:length], t.starts[i])
	if err != nil && !errors.Is(err, io.EOF) {
		return parsed{}, fmt.Errorf("targets: %w", err)
	}
	one, _, err := parseTarget((*room)[:n])
	if err == nil {
		one.Body, err = one.readBody()
	}
	if err != nil {
		return parsed{}, fmt.Errorf("the file of the targets has changed: %w", err)
	}
	return one.parsed, nil
}
