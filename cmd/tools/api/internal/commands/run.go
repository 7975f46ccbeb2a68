package commands

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Program is a binary, and the name by which it is known.
type Program struct{ Name, Binary string }

// most is how long a run may take: those that are asked for end at once.
const most = time.Minute

// run runs a program in a directory of its own, and returns its exit code and what it printed.
func (p Program) run(e end) (code int, stdout, stderr string, err error) {
	dir, err := os.MkdirTemp("", "api-")
	if err != nil {
		return 0, "", "", err
	}
	defer os.RemoveAll(dir)
	if err := e.prepare(dir); err != nil {
		return 0, "", "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, p.Binary, e.args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &said
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "GOWORK=off")
	if err := e.follow(cmd); err != nil && cmd.ProcessState == nil {
		return 0, "", "", fmt.Errorf("%s: %w", cmd, err)
	}
	if ctx.Err() != nil {
		return 0, "", "", fmt.Errorf("%s did not end within %v: %s", cmd, most, said.String())
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String(), nil
}

// prepare writes the files of a run. What begins as a script can be run. Where there is a
// commit to compare with, the files are in it.
func (e end) prepare(dir string) error {
	for name, text := range e.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			return err
		}
	}
	for _, args := range e.before {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", cmd, err, out)
		}
	}
	return nil
}

// follow runs a command to its end, or interrupts it as soon as it has begun.
func (e end) follow(cmd *exec.Cmd) error {
	switch {
	case e.interrupt && e.says != "":
		cmd.Stdout = &listener{text: e.says, heard: sync.OnceFunc(func() { _ = cmd.Process.Signal(os.Interrupt) })}
		return cmd.Run()
	case e.interrupt:
		return interrupted(cmd)
	}
	answering := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer answering.Close()
	replace(cmd, answering.Listener.Addr())
	return cmd.Run()
}

// listener hears of what a command prints.
type listener struct {
	text  string
	heard func()
	all   []byte
}

// Write implements io.Writer.
func (l *listener) Write(b []byte) (int, error) {
	if l.all = append(l.all, b...); bytes.Contains(l.all, []byte(l.text)) {
		l.heard()
	}
	return len(b), nil
}

// replace puts the address of a server into arguments.
func replace(cmd *exec.Cmd, address net.Addr) {
	for i, arg := range cmd.Args {
		cmd.Args[i] = strings.ReplaceAll(arg, server, address.String())
	}
	cmd.Env = append(cmd.Env, "BEGUN="+address.String())
}

// interrupted interrupts a command as soon as it, or what it runs, has called a server that never
// answers.
func interrupted(cmd *exec.Cmd) error {
	begun, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer begun.Close()
	replace(cmd, begun.Addr())
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		if c, err := begun.Accept(); err == nil {
			_ = cmd.Process.Signal(os.Interrupt)
			_, _ = io.Copy(io.Discard, c)
		}
	}()
	return cmd.Wait()
}
