//go:build unix

package db

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

func TestPostgres(t *testing.T) {
	address := startPostgres(t)
	t.Run("many servers start at once", func(t *testing.T) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				work, err := Workload().Start(address)
				if assert.NoError(t, err) {
					assert.NoError(t, work.Do())
					assert.NoError(t, work.Close())
				}
			})
		}
		all.Wait()
	})
	t.Run("many callers", func(t *testing.T) {
		work := startWork(t, address)
		assert.Regexp(t, `^postgres \d+.*, 10 connections$`, work.Setup)
		doConcurrently(t, work)
	})
	t.Run("a line", func(t *testing.T) { benchPostgres(t, address) })
	t.Run("no such database", func(t *testing.T) {
		_, err := Workload().Start(strings.Replace(address, "/postgres?", "/nosuch?", 1))
		assert.ErrorContains(t, err, `database "nosuch" does not exist`)
		assert.NotContains(t, err.Error(), "secret")
	})
	t.Run("other rows", func(t *testing.T) {
		d, err := openPostgres(address)
		require.NoError(t, err)
		defer d.Close()
		_, err = d.Exec("update rpcbench.message set content = 'other'")
		require.NoError(t, err)
		_, err = Workload().Start(address)
		assert.ErrorIs(t, err, message.ErrWrong)
	})
}

// benchPostgres runs this binary for one line of the suite.
func benchPostgres(t *testing.T, address string) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.benchtime=1000x",
		"-test.bench=Workload/framework=netrpc/transport=tcp/codec=gob/workload=db", "-conc=100", "-db="+address)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	require.NoError(t, cmd.Run(), "%s%s", &out, &errOut)
	assert.Regexp(t, `BenchmarkWorkload/framework=netrpc/transport=tcp/codec=gob/workload=db/conc=100\s+1000\s.*\s0 errors`, out.String())
	assert.Contains(t, out.String(), "\nworkload-db: postgres ")
	assert.NotContains(t, out.String()+errOut.String(), "secret")
}

// startPostgres starts a PostgreSQL for the test, which needs no password, and
// returns its URL.
func startPostgres(t *testing.T) string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		t.Skip("PostgreSQL is not installed: no /usr/lib/postgresql/*/bin/initdb")
	}
	run := runner(t, filepath.Dir(found[len(found)-1]))
	data := filepath.Join(run.dir, "data")
	run.do(t, "initdb", "-D", data, "-A", "trust", "-U", "bench", "--no-sync")
	t.Cleanup(func() { run.do(t, "pg_ctl", "-D", data, "-m", "immediate", "stop") })
	addr, err := address.ServeOnFree("127.0.0.1:0", func(addr string) (string, error) {
		_, port, _ := net.SplitHostPort(addr)
		options := fmt.Sprintf("-c listen_addresses=127.0.0.1 -c fsync=off -p %s -k %s", port, run.dir)
		return addr, run.try("pg_ctl", "-D", data, "-w", "-l", filepath.Join(run.dir, "log"), "-o", options, "start")
	})
	require.NoError(t, err)
	return "postgres://bench:secret@" + addr + "/postgres?sslmode=disable"
}

// postgresRunner runs PostgreSQL's commands in a directory of the user that it runs
// them as: they refuse to run as root.
type postgresRunner struct {
	bin, dir string
	as       *syscall.Credential
}

func runner(t *testing.T, bin string) postgresRunner {
	dir, err := os.MkdirTemp("", "rpcbench-pg")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := postgresRunner{bin: bin, dir: dir}
	if os.Getuid() == 0 {
		r.as = unprivileged(t)
		require.NoError(t, os.Chown(dir, int(r.as.Uid), int(r.as.Gid)))
	}
	return r
}

func unprivileged(t *testing.T) *syscall.Credential {
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, err := strconv.ParseUint(u.Uid, 10, 32)
			require.NoError(t, err)
			gid, err := strconv.ParseUint(u.Gid, 10, 32)
			require.NoError(t, err)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	t.Skip("PostgreSQL does not run as root, and there is no user postgres or nobody")
	return nil
}

func (r postgresRunner) do(t *testing.T, command string, args ...string) {
	t.Helper()
	require.NoError(t, r.try(command, args...))
}

func (r postgresRunner) try(command string, args ...string) error {
	cmd := exec.Command(filepath.Join(r.bin, command), args...)
	cmd.Dir = r.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: r.as}
	cmd.WaitDelay = time.Second // if the server keeps the output open
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", command, err, out)
	}
	return err
}
