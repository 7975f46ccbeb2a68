package footprint

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/part"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// figures are what one start of a variant has cost.
type figures struct {
	binary     int64         // bytes
	modules    int           // linked in, the suite's own left out
	listen     time.Duration // from exec until the server listens
	reply      time.Duration // from exec until a client has the first reply
	rss        int64         // bytes of the server at rest; 0 if the system does not tell
	goroutines int           // of the server at rest
}

// units tells benchstat which direction is better. Every start of one binary has the
// same size and modules.
const units = `Unit binary-B better=lower assume=exact
Unit modules better=lower assume=exact
Unit listen-ns better=lower
Unit first-reply-ns better=lower
Unit server-rss-B better=lower
Unit server-goroutines better=lower
`

// metrics are the values of a line, each with its unit.
func (f figures) metrics() []string {
	list := []string{
		fmt.Sprintf("%d binary-B", f.binary), fmt.Sprintf("%d modules", f.modules),
		fmt.Sprintf("%d listen-ns", f.listen), fmt.Sprintf("%d first-reply-ns", f.reply),
	}
	if f.rss > 0 {
		list = append(list, fmt.Sprintf("%d server-rss-B", f.rss))
	}
	return append(list, fmt.Sprintf("%d server-goroutines", f.goroutines))
}

// waits says how long a measurement waits.
type waits struct {
	rest  time.Duration // until the memory and goroutines of a server are read
	limit time.Duration // at most, for each step of a start
}

// measure starts a server of the variant, and reads what it costs. The client's process
// is started before: only what it does for a call counts.
func (w waits) measure(v framework.Variant) (f figures, err error) {
	if f.binary, err = ownSize(); err != nil {
		return f, err
	}
	f.modules = len(modules())
	client, err := part.Start(clientPart + v.ID())
	if err != nil {
		return f, err
	}
	defer client.Stop()
	if _, _, err = expect(client, ready, w.limit); err != nil {
		return f, fmt.Errorf("the client did not start: %w", err)
	}
	server, err := part.Start(serverPart + v.ID())
	if err != nil {
		return f, err
	}
	defer server.Stop()
	return f, w.follow(&f, client, server)
}

// follow follows a server from its start to its rest.
func (w waits) follow(f *figures, client, server *part.Process) (err error) {
	addr, at, err := expect(server, listening, w.limit)
	if err != nil {
		return fmt.Errorf("the server did not listen: %w", err)
	}
	f.listen = at.Sub(server.Began())
	if err = client.Tell(calling + addr); err == nil {
		_, at, err = expect(client, replied, w.limit)
	}
	if err != nil {
		return fmt.Errorf("the server did not reply: %w", err)
	}
	f.reply = at.Sub(server.Began())
	time.Sleep(w.rest)
	var values string
	if err = server.Tell(atRest); err == nil {
		values, _, err = expect(server, figuring, w.limit)
	}
	if err == nil {
		_, err = fmt.Sscan(values, &f.rss, &f.goroutines)
	}
	if err != nil {
		return fmt.Errorf("the server did not tell its figures: %w", err)
	}
	return nil
}

// expect waits for a word and returns what follows it.
func expect(p *part.Process, word string, within time.Duration) (values string, at time.Time, err error) {
	line, at, err := p.Next(within)
	if err != nil {
		return "", at, err
	}
	values, ok := strings.CutPrefix(line, word)
	if !ok {
		return "", at, fmt.Errorf("%s", strings.TrimPrefix(line, failed))
	}
	return values, at, nil
}

// ownSize is the size of this binary's file in bytes.
func ownSize() (int64, error) {
	exe, err := self.File()
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(exe)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// modules are the versions of the modules that packages of this binary come from, by
// their paths, without the suite and the module that is being worked on.
func modules() map[string]string {
	info, _ := debug.ReadBuildInfo() // nil without modules
	return others(info)
}

const ours = "github.com/rpcbench/rpcbench"

func others(info *debug.BuildInfo) map[string]string {
	versions := map[string]string{}
	if info == nil {
		return versions
	}
	for _, m := range info.Deps {
		own := m.Version == "(devel)" && m.Replace == nil
		if own || m.Path == ours || strings.HasPrefix(m.Path, ours+"/") {
			continue
		}
		versions[m.Path] = m.Version
		if m.Replace != nil && m.Replace.Version != "" {
			versions[m.Path] = m.Replace.Version
		}
	}
	return versions
}
