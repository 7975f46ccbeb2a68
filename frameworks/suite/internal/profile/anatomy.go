package profile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sampling"
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
func CheckAnatomy(dir, fault string, others Profiles) error {
	if dir == "" {
		return nil
	}
	if err := sampling.Check(); err != nil {
		return fmt.Errorf("-anatomy: %w", err)
	}
	switch {
	case fault != "":
		return fmt.Errorf("-anatomy -fault=%s: a server that breaks keeps no profile: leave one out", fault)
	case others.Wanted():
		return errors.New("-anatomy takes CPU profiles of both sides: leave the flags of other profiles out")
	}
	return nil
}

// During takes profiles of both sides during the run of cfg, with as many samples as
// can be had. Both have the reading of figures as well, which is a millisecond.
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
		stopped() // first, since it reads what both sides have used
		if client == nil {
			sampling.Stop()
		}
		if server == nil {
			server = s.StopProfile(context.Background(), host.CPUTicks, &b.Server)
		}
		tell(errors.Join(client, server))
	}
}
