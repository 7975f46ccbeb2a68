package server

import (
	"errors"
	"fmt"
	"os"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/work"
)

// Serve starts the workload that the order asks for, and then the server of v.
func (o Order) Serve(v framework.Variant, w *work.Workloads) (framework.Server, error) {
	if o.Work == "" {
		return serveAll(v, o, host.Addrs())
	}
	name, started, err := w.Start(o.Work)
	if err != nil {
		return nil, err
	}
	handler.ServeWork(name, started.Do)
	s, err := o.start(v)
	if err != nil {
		return nil, errors.Join(err, work.End(started))
	}
	return workServer{counted{Server: s}, started}, nil
}

// serveAll starts a server for each address. A framework that can have only one server in a
// process has one address.
func serveAll(v framework.Variant, o Order, addrs int) (framework.Server, error) {
	var all []framework.Server
	for range addrs {
		s, err := o.start(v)
		if err != nil && len(all) == 0 {
			return nil, err
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, foreign.Error(err))
			break
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return counted{Server: all[0]}, nil
	}
	return several{list: all}, nil
}

// tallies are what the servers of a process have counted together, see host.Host.Handled
// and host.Host.Spans.
type tallies struct{}

// Handled returns how many calls the handlers have completed.
func (tallies) Handled() int64 { return count.Calls() }

// Spans returns how many spans with a parent have ended.
func (tallies) Spans() int64 { return SpansHere() }

// SpansHere returns how many spans with a parent have ended in this process.
func SpansHere() int64 {
	_, withParent := count.Spans()
	return withParent
}

// counted is a server that tells what was counted.
type counted struct {
	framework.Server
	tallies
}

// several is servers of a variant in one process.
type several struct {
	list []framework.Server
	tallies
}

// Addr implements Server.
func (s several) Addr() string { return s.list[0].Addr() }

// Addrs returns all addresses.
func (s several) Addrs() (list []string) {
	for _, one := range s.list {
		list = append(list, one.Addr())
	}
	return list
}

// Close implements Server.
func (s several) Close() error {
	var errs []error
	for _, one := range s.list {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// workServer is a server whose handlers do work.
type workServer struct {
	counted
	work workload.Work
}

// Close closes the work after the server, which may still be busy with it.
func (s workServer) Close() error {
	return errors.Join(s.counted.Close(), work.End(s.work))
}
