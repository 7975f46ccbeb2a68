package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/record"
)

var slurm = flag.Bool("slurm", false, "set up a Slurm of two nodes on this machine, and run agents in it, 2 minutes")

const (
	ranks    = 4
	rate     = 1000
	duration = 2 * time.Second
	warmup   = time.Second // see main
	perRank  = rate * int64(duration/time.Second) / ranks
)

// TestSlurm has four ranks on two nodes load a server at a quarter of the rate each. It
// starts them in three ways and counts their calls.
func TestSlurm(t *testing.T) {
	if !*slurm {
		t.Skip("-slurm is not given")
	}
	c := startCluster(t)
	at := func(ahead time.Duration) string { return fmt.Sprint("-at=", time.Now().Add(ahead).Unix()) }
	for _, way := range []struct {
		name string
		args func() []string
	}{
		{"srun", func() []string {
			return []string{"srun", "-N2", "-n4", "httpload", at(20 * time.Second), "-results=results/srun"}
		}},
		{"job", func() []string {
			return []string{"sbatch", "--wait", "job.sbatch"}
		}},
		{"array", func() []string {
			return []string{"sbatch", "--wait", "--array=0-3", "array.sbatch", at(40 * time.Second)}
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			var served atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				served.Add(1)
				io.WriteString(w, "hello")
			}))
			defer server.Close()
			args := append(way.args(), "-url="+server.URL, fmt.Sprint("-rate=", rate), fmt.Sprint("-duration=", duration))
			c.must(t, args...)
			if want := rate * int64((warmup+duration)/time.Second); served.Load() != want {
				t.Errorf("the server got %d calls and not %d", served.Load(), want)
			}
			checkResults(t, c)
		})
	}
}

// checkResults looks for the shares of all ranks, and merges them.
func checkResults(t *testing.T, c *cluster) {
	dirs, err := filepath.Glob(filepath.Join(c.dir, "results", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("results are in %v and not in one directory", dirs)
	}
	defer os.RemoveAll(dirs[0])
	files, err := filepath.Glob(filepath.Join(dirs[0], "*"))
	if err != nil || len(files) != ranks {
		t.Fatalf("there are %d records and not %d: %v", len(files), ranks, files)
	}
	for _, file := range files {
		r, err := record.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if r.Result.OK != perRank || r.Result.Due != perRank {
			t.Errorf("%d of %d calls of rank %d were answered, and not %d", r.Result.OK, r.Result.Due, r.Rank, perRank)
		}
	}
	merged, err := exec.CommandContext(t.Context(), "go", "run", "github.com/rpcbench/rpcbench/loadgen/cmd/loadmerge", dirs[0]).CombinedOutput()
	if err != nil {
		t.Fatalf("loadmerge: %v\n%s", err, merged)
	}
	_, line, _ := bytes.Cut(merged, []byte("# run "))
	t.Logf("run %s", line)
	if want := fmt.Sprintf("BenchmarkHTTP/rate=%d\t%8d\t", rate, ranks*perRank); !bytes.Contains(merged, []byte(want)) {
		t.Errorf("no line begins with %q", want)
	}
}

// cluster is a Slurm whose daemons run on this machine as the user of the test.
type cluster struct {
	dir     string
	env     []string
	daemons []*exec.Cmd // in the order of their start
}

const slurmConf = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[4]d
SlurmUser=%[2]s
SlurmdUser=%[2]s
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=%[3]s/munge.socket
StateSaveLocation=%[3]s/state
SlurmctldPidFile=%[3]s/slurmctld.pid
SlurmdPidFile=%[3]s/%%n.pid
SlurmdSpoolDir=%[3]s/%%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=n0 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[5]d CPUs=4
NodeName=n1 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[6]d CPUs=4
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
`

// startCluster returns when both nodes are idle; the daemons end with the test.
func startCluster(t *testing.T) *cluster {
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, program := range []string{"munged", "slurmctld", "slurmd", "srun", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v: Debian has it all in slurmctld, slurmd, slurm-client and munge", err)
		}
	}
	c := &cluster{}
	c.lay(t)
	t.Cleanup(func() { c.stop(t) })
	c.start(t, "munged", "--foreground", "--force", "--key-file=munge.key", "--log-file=munged.log", "--seed-file=munged.seed",
		"--socket="+c.dir+"/munge.socket", "--pid-file="+c.dir+"/munged.pid")
	c.await(t, func() bool { _, err := os.Stat(c.dir + "/munge.socket"); return err == nil })
	c.start(t, "slurmctld", "-D", "-i")
	c.start(t, "slurmd", "-D", "-N", "n0")
	c.start(t, "slurmd", "-D", "-N", "n1")
	c.await(t, func() bool {
		out, err := c.run(10*time.Second, "sinfo", "-h", "-o", "%D %t")
		return err == nil && strings.TrimSpace(out) == "2 idle"
	})
	return c
}

// lay makes the cluster's directory. Munge requires that everybody may read it, except
// for its key.
func (c *cluster) lay(t *testing.T) {
	who, err := user.Current()
	check(t, err)
	hostname, err := os.Hostname()
	check(t, err)
	self, err := os.Executable()
	check(t, err)
	c.dir, err = os.MkdirTemp("", "slurm")
	check(t, err)
	t.Cleanup(func() { os.RemoveAll(c.dir) })
	check(t, os.Chmod(c.dir, 0o711))
	for _, dir := range []string{"state", "n0", "n1", "results"} {
		check(t, os.Mkdir(filepath.Join(c.dir, dir), 0o755))
	}
	for _, script := range []string{"job.sbatch", "array.sbatch"} {
		text, err := os.ReadFile(script)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(c.dir, script), text, 0o644))
	}
	check(t, os.Symlink(self, filepath.Join(c.dir, "httpload")))
	hostname, _, _ = strings.Cut(hostname, ".")
	ports := freePorts(t)
	conf := fmt.Sprintf(slurmConf, hostname, who.Username, c.dir, ports[0], ports[1], ports[2])
	check(t, os.WriteFile(filepath.Join(c.dir, "slurm.conf"), []byte(conf), 0o644))
	check(t, os.WriteFile(filepath.Join(c.dir, "munge.key"), bytes.Repeat([]byte("not a secret, see AuthInfo. "), 40), 0o600))
	c.env = append(os.Environ(), "SLURM_CONF="+c.dir+"/slurm.conf", "PATH="+c.dir+":"+os.Getenv("PATH"))
}

// freePorts returns different free ports: all are opened before the first is closed.
func freePorts(t *testing.T) (ports [3]int) {
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(t, err)
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// start starts a daemon in the foreground, which writes into a file.
func (c *cluster) start(t *testing.T, args ...string) {
	log, err := os.Create(fmt.Sprintf("%s/%d-%s.log", c.dir, len(c.daemons), args[0]))
	check(t, err)
	defer log.Close()
	d := exec.Command(args[0], args[1:]...)
	d.Dir, d.Env, d.Stdout, d.Stderr = c.dir, c.env, log, log
	check(t, d.Start())
	c.daemons = append(c.daemons, d)
}

// await polls for at most a minute; a free machine takes a second.
func (c *cluster) await(t *testing.T, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ready(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("Slurm is not ready after a minute")
		}
	}
}

// run runs a command of Slurm's in the cluster's directory.
func (c *cluster) run(limit time.Duration, args ...string) (out string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.dir, c.env, time.Second
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// must runs a job and prints its output. A job takes 15 s, and sbatch notices its end
// after another 15 s.
func (c *cluster) must(t *testing.T, args ...string) {
	t.Helper()
	out, err := c.run(2*time.Minute, args...)
	t.Logf("%s\n%s", strings.Join(args, " "), out)
	logs, _ := filepath.Glob(c.dir + "/slurm-*.out")
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		t.Logf("%s\n%s", filepath.Base(log), text)
		os.Remove(log)
	}
	if err != nil {
		t.Fatalf("%s: %v", args[0], err)
	}
}

// stop ends the jobs that are left, and the daemons, in the reverse order.
func (c *cluster) stop(t *testing.T) {
	if t.Failed() && len(c.daemons) > 1 {
		queue, err := c.run(10*time.Second, "squeue")
		t.Logf("squeue: %v\n%s", err, queue)
		c.run(10*time.Second, "scancel", "--full", "--signal=KILL", "--state=RUNNING")
	}
	for i := len(c.daemons) - 1; i >= 0; i-- {
		d := c.daemons[i]
		d.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(20*time.Second, func() { d.Process.Kill() })
		d.Wait()
		kill.Stop()
	}
	if !t.Failed() {
		return
	}
	logs, _ := filepath.Glob(c.dir + "/*.log")
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		t.Logf("%s\n%s", filepath.Base(log), text[max(len(text)-2000, 0):])
	}
}
