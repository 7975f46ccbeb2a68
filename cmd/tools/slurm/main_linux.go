// Slurm runs a command that may use a Slurm of two nodes:
//
//	slurm COMMAND [ARGUMENT...]
//
// Both nodes, n0 and n1 with eight CPUs each, are this machine, which may have fewer. They
// listen on loopback and run jobs as the user of this command. COMMAND finds them by the
// variable SLURM_CONF. Tests know by RPCBENCH_SLURM that it is this Slurm; its value is new
// each time, so that go test keeps no result. When COMMAND ends, so do its jobs and Slurm.
// The exit code is that of COMMAND, or 125 if Slurm cannot be had.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// lacking is the exit code if there is no Slurm.
const lacking = 125

func main() {
	log.SetFlags(0)
	log.SetPrefix("slurm: ")
	command := os.Args[1:]
	if len(command) > 0 && command[0] == "--" {
		command = command[1:]
	}
	if len(command) == 0 {
		log.Print("usage: slurm COMMAND [ARGUMENT...]")
		os.Exit(lacking)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code, err := within(ctx, command)
	stop()
	if err != nil {
		log.Print(err)
	}
	os.Exit(code)
}

// within runs a command while there is a Slurm, and returns its exit code.
func within(ctx context.Context, command []string) (code int, err error) {
	if err := findPrograms(); err != nil {
		return lacking, err
	}
	c, err := newCluster()
	if err != nil {
		return lacking, err
	}
	defer c.remove()
	if err = c.begin(ctx); err == nil {
		code, err = c.give(ctx, command)
	} else {
		code = lacking
	}
	c.stop()
	if code != 0 {
		c.showLogs()
	}
	return code, err
}

// findPrograms says what is missing. Debian has daemons where users do not look.
func findPrograms() error {
	os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	var missing []string
	for _, program := range []string{"munged", "slurmctld", "slurmd", "srun", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, program)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("there is no %s: apt-get install slurmctld slurmd slurm-client munge", strings.Join(missing, ", "))
}

// give runs a command with the cluster in its environment. An interrupt that only this
// process gets is passed on; the command then has ten seconds.
func (c *cluster) give(ctx context.Context, command []string) (code int, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env, cmd.WaitDelay = c.env, 10*time.Second
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case ctx.Err() != nil:
		return 130, errors.New("interrupted")
	case errors.As(err, &ended) && ended.Exited():
		return ended.ExitCode(), nil
	}
	return lacking, err
}
