package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
)

const (
	// maxStrangers bounds the open connections that have not shown the token yet. All ranks of a
	// run may come at the same moment.
	maxStrangers = maxRanks + 256
	// tellAgain is how long a reason is not told again.
	tellAgain = time.Minute
)

// door accepts connections. Those of strangers, which have not shown the token yet, are
// limited: for a new one the oldest is closed. So strangers keep nobody out who shows the
// token at once, unless as many of them come before that has arrived.
type door struct {
	net.Listener
	tell func(text string)
	most int // strangers

	mu        sync.Mutex
	strangers []*visit // the oldest first
	told      map[string]time.Time
}

func newDoor(l net.Listener, tell func(string)) *door {
	if tell == nil {
		tell = func(string) {}
	}
	return &door{Listener: l, tell: tell, most: mostStrangers(files.Limit()), told: map[string]time.Time{}}
}

// mostStrangers leaves other connections three of four files that may be open; 0 stands for any number.
func mostStrangers(files int) int {
	if files == 0 {
		return maxStrangers
	}
	return min(maxStrangers, files/4)
}

// visit is a connection that closes only once.
type visit struct {
	net.Conn
	door  *door
	close func() error
}

// Accept implements net.Listener. http.Server calls it again after an error that may
// pass, such as too few file descriptors.
func (d *door) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	if err != nil {
		if !errors.Is(err, net.ErrClosed) {
			d.say(fmt.Sprintf("cannot accept connections: %v", err), time.Now())
		}
		return nil, err
	}
	v := &visit{c, d, sync.OnceValue(c.Close)}
	if oldest := d.add(v); oldest != nil {
		d.say(fmt.Sprintf("%d connections have not shown the token: the oldest is closed for each new one", d.most), time.Now())
		oldest.Close()
	}
	return v, nil
}

// add enters a stranger and returns the one that has to go for it; nil for none.
func (d *door) add(v *visit) (oldest *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.strangers = append(d.strangers, v)
	if len(d.strangers) > d.most {
		oldest = d.strangers[0]
	}
	return oldest
}

// known notes that a connection is no stranger's: it has shown the token, or is closed.
func (d *door) known(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.strangers, v); i >= 0 {
		d.strangers = slices.Delete(d.strangers, i, i+1)
	}
}

// Close implements net.Conn.
func (v *visit) Close() error {
	v.door.known(v)
	return v.close()
}

// say tells a text unless it was told less than tellAgain before.
func (d *door) say(text string, now time.Time) {
	d.mu.Lock()
	last, told := d.told[text]
	again := !told || now.Sub(last) >= tellAgain
	if again {
		d.told[text] = now
	}
	d.mu.Unlock()
	if again {
		d.tell(text)
	}
}

// visitKey is the key of a request's visit in its context.
type visitKey struct{}

func withVisit(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, visitKey{}, c)
}

// trust notes that a request has shown the token.
func trust(ctx context.Context) {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		v.door.known(v)
	}
}
