package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// language says how the servers of one are built and started. What is built or fetched is
// in the directory target of a server.
type language struct {
	file   string // that a server's directory has
	remedy string // for one of the tools that is missing
	tools  []string
	// build are the commands that build a server, in its directory.
	build [][]string
	// lost is a text of build that says that packages cannot be had. The server is then left
	// out. "" says so of each failure, where build fetches packages and does nothing else.
	lost string
	// command starts the server, in any directory; % is its own.
	command []string
	env     string // of the command, as in NAME=%/target; "" for none
}

// languages returns all that are known. A server's is the first whose file its directory has.
func languages() []language {
	return []language{
		{
			file: "pom.xml", remedy: "install a JDK and Maven", tools: []string{"java", "mvn"}, lost: "Could not transfer artifact",
			build:   [][]string{{"mvn", "-q", "-B", "-DskipTests", "package"}},
			command: []string{"java", "-jar", "%/target/peer.jar"},
		},
		{
			file: "package.json", remedy: "install Node.js and npm", tools: []string{"node", "npm"},
			build: [][]string{
				{"mkdir", "-p", "target"},
				{"cp", "package.json", "target"},
				{"npm", "install", "--prefix=target", "--prefer-offline", "--fetch-retries=1", "--fetch-timeout=30000", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"},
			},
			command: []string{"node", "%/server.js"}, env: "NODE_PATH=%/target/node_modules",
		},
		{
			file: "requirements.txt", remedy: "install Python 3", tools: []string{"python3"},
			build: [][]string{
				{"python3", "-m", "venv", "target"},
				{"target/bin/pip", "install", "-q", "--retries=1", "--timeout=30", "--disable-pip-version-check", "-r", "requirements.txt"},
			},
			command: []string{"%/target/bin/python", "%/server.py"},
		},
	}
}

// languageOf finds the language of the server in a directory.
func languageOf(dir string) (l language, err error) {
	for _, l = range languages() {
		if _, err = os.Stat(filepath.Join(dir, l.file)); err == nil {
			return l, nil
		}
	}
	return l, fmt.Errorf("%s has neither a pom.xml nor a package.json nor a requirements.txt: what is its server written in?", foreign.Line(dir))
}

// absent says why a server is left out. It is no failure.
type absent struct{ error }

// prepare builds the server in a directory.
func (l language) prepare(ctx context.Context, dir string) error {
	for _, tool := range l.tools {
		if _, err := exec.LookPath(tool); err != nil {
			return absent{fmt.Errorf("there is no %s: %s", tool, l.remedy)}
		}
	}
	for _, args := range l.build {
		err := step(ctx, dir, args)
		switch {
		case err == nil:
		case ctx.Err() == nil && strings.Contains(err.Error(), l.lost):
			return absent{errors.New("its packages cannot be had: " + l.why(err.Error()))}
		default:
			return fmt.Errorf("build: %w", err)
		}
	}
	return nil
}

// why returns what of a failure tells which packages are missing, in a line.
func (l language) why(text string) string {
	if _, from, found := strings.Cut(text, l.lost); found && l.lost != "" {
		text, _, _ = strings.Cut(from, "\n")
		text = l.lost + text
	}
	return fmt.Sprintf("%.300s", strings.Join(strings.Fields(text), " "))
}

// step runs a command of build. Its error has the end of what the command said.
func step(ctx context.Context, dir string, args []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var last tail
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &last, &last
	cmd.Env = environ.Tools(cmd.Environ())
	ends.WithParent(cmd, syscall.SIGTERM)
	if err := cmd.Run(); err != nil {
		return errors.New(args[0] + ": " + err.Error() + last.String())
	}
	return nil
}
