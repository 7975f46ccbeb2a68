package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/ports"
)

// cluster is a Slurm whose daemons run on this machine as the user of this process.
type cluster struct {
	dir     string
	env     []string    // of its daemons, and of commands that use it
	daemons []*exec.Cmd // in the order of their start
}

// A job goes to the node that has least to do (LLN), so that both are used.
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
NodeName=n0 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[5]d CPUs=8
NodeName=n1 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[6]d CPUs=8
PartitionName=all Nodes=ALL Default=YES LLN=YES MaxTime=30 State=UP
`

// newCluster makes a cluster's directory. Munge requires that everybody may read it, except
// for its key.
func newCluster() (*cluster, error) {
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: dir, env: append(os.Environ(), "SLURM_CONF="+dir+"/slurm.conf", "RPCBENCH_SLURM="+dir)}
	conf, err := configuration(dir)
	err = errors.Join(err, os.Chmod(dir, 0o711),
		os.Mkdir(dir+"/state", 0o755), os.Mkdir(dir+"/n0", 0o755), os.Mkdir(dir+"/n1", 0o755),
		os.WriteFile(dir+"/slurm.conf", []byte(conf), 0o644),
		os.WriteFile(dir+"/munge.key", bytes.Repeat([]byte("not a secret, see AuthInfo. "), 40), 0o600))
	if err != nil {
		c.remove()
	}
	return c, err
}

func (c *cluster) remove() { os.RemoveAll(c.dir) }

// configuration is the text of slurm.conf for a cluster in dir.
func configuration(dir string) (string, error) {
	who, err := user.Current()
	if err != nil {
		return "", err
	}
	hostname, err := os.Hostname()
	if err != nil {
		return "", err
	}
	free, err := freePorts()
	hostname, _, _ = strings.Cut(hostname, ".")
	return fmt.Sprintf(slurmConf, hostname, who.Username, dir, free[0], free[1], free[2]), err
}

// freePorts returns different free ports.
func freePorts() (free [3]int, err error) {
	for i := range free {
		for free[i] == 0 || slices.Contains(free[:i], free[i]) {
			if free[i], err = ports.Free(); err != nil {
				return free, err
			}
		}
	}
	return free, nil
}

// begin returns when both nodes are idle.
func (c *cluster) begin(ctx context.Context) error {
	err := c.start("munged", "--foreground", "--force", "--key-file=munge.key", "--log-file=munged.log",
		"--seed-file=munged.seed", "--socket="+c.dir+"/munge.socket", "--pid-file="+c.dir+"/munged.pid")
	if err != nil {
		return err
	}
	if err := await(ctx, func() bool { _, err := os.Stat(c.dir + "/munge.socket"); return err == nil }); err != nil {
		return err
	}
	err = errors.Join(c.start("slurmctld", "-D", "-i"), c.start("slurmd", "-D", "-N", "n0"), c.start("slurmd", "-D", "-N", "n1"))
	if err != nil {
		return err
	}
	return await(ctx, func() bool { return c.ask("sinfo", "-h", "-o", "%D %t") == "2 idle" })
}

// start starts a daemon in the foreground, which writes into a file. It has a process group
// of its own, so that Ctrl-C does not end it before its jobs.
func (c *cluster) start(args ...string) error {
	file, err := os.Create(fmt.Sprintf("%s/%d-%s.log", c.dir, len(c.daemons), args[0]))
	if err != nil {
		return err
	}
	defer file.Close()
	d := exec.Command(args[0], args[1:]...)
	d.Dir, d.Env, d.Stdout, d.Stderr = c.dir, c.env, file, file
	d.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := d.Start(); err != nil {
		return err
	}
	c.daemons = append(c.daemons, d)
	return nil
}

// await polls for at most a minute; a free machine takes a second.
func await(ctx context.Context, ready func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for !ready() {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return errors.New("what Slurm has to do is not done after a minute, or was interrupted")
		}
	}
	return nil
}

// ask returns what one of Slurm's commands prints, or why it failed.
func (c *cluster) ask(args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.dir, c.env, time.Second
	text, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v: %s", err, text)
	}
	return strings.TrimSpace(string(text))
}

// stop ends the jobs that are left, and then the daemons in the reverse order.
func (c *cluster) stop() {
	if len(c.daemons) > 1 {
		c.endJobs()
	}
	for i := len(c.daemons) - 1; i >= 0; i-- {
		d := c.daemons[i]
		d.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(20*time.Second, func() { d.Process.Kill() })
		d.Wait()
		kill.Stop()
	}
}

// endJobs ends the jobs that are left, and waits until they are gone: their processes would
// outlive the daemons.
func (c *cluster) endJobs() {
	if c.ask("squeue", "-h") == "" {
		return
	}
	c.ask("scancel", "--state=PENDING", "--quiet")
	c.ask("scancel", "--full", "--signal=KILL", "--state=RUNNING", "--quiet")
	await(context.Background(), func() bool { return c.ask("squeue", "-h") == "" })
}

// showLogs prints the last lines of the daemons.
func (c *cluster) showLogs() {
	logs, _ := filepath.Glob(c.dir + "/*.log") // the pattern is right
	for _, file := range logs {
		text, _ := os.ReadFile(file)
		fmt.Fprintf(os.Stderr, "slurm: %s\n%s\n", filepath.Base(file), text[max(len(text)-2000, 0):])
	}
}
