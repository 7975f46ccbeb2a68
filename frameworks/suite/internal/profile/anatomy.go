package profile

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/sampling"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Both are the CPU profiles of both sides of a round.
type Both struct {
	Client, Server bytes.Buffer
	// Monitor is the CPU time of the client's monitor, which its profile lacks.
	Monitor time.Duration
}

// Files are the profiles by what their files end in. A side that has no profile has no file.
func (b *Both) Files() map[string][]byte {
	files := map[string][]byte{}
	for name, profile := range map[string]*bytes.Buffer{".client.pprof": &b.Client, ".server.pprof": &b.Server} {
		if profile.Len() > 0 {
			files[name] = profile.Bytes()
		}
	}
	return files
}

// CheckAnatomy returns an error where the samples of a profile would not be those of both sides.
func CheckAnatomy(dir string, others Profiles) error {
	switch {
	case dir == "":
		return nil
	case runtime.GOOS != "linux":
		return errors.New("-anatomy: only Linux counts the CPU time of each thread; elsewhere a profile tells no parts of a call")
	case others.Wanted():
		return errors.New("-anatomy takes CPU profiles of both sides: leave the flags of other profiles out")
	}
	return nil
}

// During takes profiles of both sides during the run of cfg, with as many samples as
// can be had. That of the client has the calls alone. That of the server has the reading of its
// figures as well, which is a millisecond.
func (b *Both) During(cfg *loadgen.Config, s server.Profiler, tell func(error)) {
	started, stopped := cfg.OnStart, cfg.OnStop
	var server, client error
	cfg.OnStart = func() {
		server = s.StartProfile(context.Background(), host.CPUTicks)
		started()
		b.Client.Reset()
		client = ofClient(sampling.Start(&b.Client))
		b.Monitor = process.Monitor()
	}
	cfg.OnStop = func() {
		b.Monitor = process.Monitor() - b.Monitor
		if client == nil {
			sampling.Stop()
		}
		stopped()
		if server == nil {
			server = s.StopProfile(context.Background(), host.CPUTicks, &b.Server)
		}
		tell(errors.Join(client, server))
	}
}
