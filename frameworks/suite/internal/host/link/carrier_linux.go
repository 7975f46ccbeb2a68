package link

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// The files of the process that carries. Standard input brings questions.
const (
	namespaceFD = 3 // of the far end
	answersFD   = 4
)

// envOrder is the environment variable of an order, in JSON.
const envOrder = "RPCBENCH_LINE"

const (
	answerTimeout = 30 * time.Second
	memoryLimit   = 1 << 30 // bytes
)

// order says what the process that carries is to do.
type order struct {
	Shape     line.Shape
	Near, Far net.IP
	Buffers   int
}

// seed decides which packets are lost. Each way draws from a sequence of its own.
const seed = 1

// carry carries packets until the process that started this one ends or closes the link.
func carry() error {
	var o order
	if err := json.Unmarshal([]byte(os.Getenv(envOrder)), &o); err != nil {
		return err
	}
	// Next to nothing is allocated once packets flow, and a collection would hold them up.
	// What other packages of the binary allocate is collected all the same, at some time. Both
	// threads keep a P each, see poll.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit)
	runtime.GOMAXPROCS(4)
	c, err := newCarrier(o)
	if err != nil {
		return err
	}
	go c.answer(os.Stdin, os.NewFile(answersFD, "answers"))
	return <-c.ended
}

// carrier is what the process that carries has.
type carrier struct {
	far         *os.File
	there, back *way
	realtime    bool
	ended       chan error
}

// newCarrier makes both devices and begins to carry.
func newCarrier(o order) (*carrier, error) {
	c := &carrier{far: os.NewFile(namespaceFD, "namespace"), ended: make(chan error, 3)}
	near, err := end(o.Near, o)
	if err != nil {
		return nil, err
	}
	var far *device
	if err := inside(c.far, func() (err error) { far, err = end(o.Far, o); return err }); err != nil {
		return nil, err
	}
	c.there, c.back = newWay(near, far, o.Shape, seed), newWay(far, near, o.Shape, seed+1)
	c.realtime = c.there.start(c.end)
	c.realtime = c.back.start(c.end) && c.realtime
	return c, nil
}

// end makes the device of one end, in the namespace of the calling thread.
func end(addr net.IP, o order) (d *device, err error) {
	if err = loopbackUp(); err == nil {
		err = allowBuffers(o.Buffers)
	}
	if err == nil {
		d, err = newDevice(addr, o.Shape.Largest())
	}
	return d, err
}

func (c *carrier) end(err error) { c.ended <- err }

// answer says what was done so far, at once and for each byte that is asked. It ends the
// process when nobody can ask any more.
func (c *carrier) answer(questions io.Reader, answers *os.File) {
	out, one := json.NewEncoder(answers), make([]byte, 1)
	for {
		counts, err := c.counts()
		if err == nil {
			err = out.Encode(counts)
		}
		if err == nil {
			_, err = questions.Read(one)
		}
		if err != nil {
			c.end(notEOF(err))
			return
		}
	}
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (c *carrier) counts() (all Counts, err error) {
	var used unix.Rusage
	if err = unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return all, err
	}
	all.CPU, all.Realtime = time.Duration(used.Utime.Nano()+used.Stime.Nano()), c.realtime
	for _, w := range []*way{c.there, c.back} {
		counts, late, unintended := w.counted()
		all.Late, all.Unintended = all.Late+late, all.Unintended+unintended
		if w == c.there {
			all.There = counts
		} else {
			all.Back = counts
		}
	}
	near, err := c.there.from.overflows()
	if err != nil {
		return all, err
	}
	var far int64
	err = inside(c.far, func() (err error) { far, err = c.back.from.overflows(); return err })
	all.Unintended += near + far
	return all, err
}
