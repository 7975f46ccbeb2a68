package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// language says how the servers of one are built and started. What is built or fetched is
// in the directory target of a server.
type language struct {
	file   string // that a server's directory has
	remedy string // for one of the tools that is missing
	tools  []string
	asked  asked // by whom its servers are wanted; the zero value for always
	// build are the commands that build a server, in its directory. {sources} and {cache} are
	// what asked has, and {cores} is how many there are.
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
		{
			file: "Cargo.toml", remedy: "install Rust and Cargo", tools: []string{"cargo"}, lost: "failed to download",
			asked: asked{variable: "TONIC", hint: "make peers TONIC=1 has it"},
			build: [][]string{
				{"cargo", "build", "--release", "--locked", "--color=never", "--target-dir={cache}"},
				{"mkdir", "-p", "target"},
				{"cp", "{cache}/release/peer", "target"},
			},
			command: []string{"%/target/peer"},
		},
		{
			file: "CMakeLists.txt", lost: "Could NOT find", tools: []string{"cmake", "make", "c++", "protoc"},
			remedy: "install the packages that frameworks/brpc/README.md names",
			asked:  asked{variable: "BRPC", hint: "make peers BRPC=path has it, with the path of the sources of apache/brpc", has: "src/brpc/server.h", of: "apache/brpc"},
			build: [][]string{
				{"cmake", "-G", "Unix Makefiles", "-S", "{sources}", "-B", "{cache}", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", "-DBUILD_BRPC_TOOLS=OFF", "-DWITH_DEBUG_SYMBOLS=OFF"},
				{"make", "-C", "{cache}", "-j{cores}", "brpc-static"},
				{"cmake", "-G", "Unix Makefiles", "-S", ".", "-B", "target", "-DCMAKE_BUILD_TYPE=Release", "-DBRPC={cache}/output"},
				{"make", "-C", "target", "-j{cores}"},
			},
			command: []string{"%/target/peer"},
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
	return l, fmt.Errorf("%s has none of pom.xml, package.json, requirements.txt, Cargo.toml and CMakeLists.txt: what is its server written in?", foreign.Line(dir))
}

// absent says why a server is left out. It is no failure.
type absent struct{ error }

// buildTimeout bounds the build of a server, and longTimeout that of one which takes minutes.
const (
	buildTimeout = 10 * time.Minute
	longTimeout  = 2 * time.Hour
)

// prepare builds the server in a directory.
func (l language) prepare(ctx context.Context, dir string) error {
	value, err := l.asked.value()
	if err := errors.Join(err, l.asked.without(value)); err != nil {
		return err
	}
	for _, tool := range l.tools {
		if _, err := exec.LookPath(tool); err != nil {
			return absent{fmt.Errorf("there is no %s: %s", tool, l.remedy)}
		}
	}
	cache, err := l.asked.cache(dir, value)
	if err != nil {
		return err
	}
	limit := buildTimeout
	if cache != "" {
		limit = longTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it did not end within %v", limit))
	defer cancel()
	return l.make(ctx, dir, strings.NewReplacer("{sources}", value, "{cache}", cache, "{cores}", strconv.Itoa(runtime.NumCPU())))
}

// make runs the commands of build, with what stands for their placeholders.
func (l language) make(ctx context.Context, dir string, places *strings.Replacer) error {
	for _, args := range l.build {
		var words []string
		for _, arg := range args {
			words = append(words, places.Replace(arg))
		}
		err := step(ctx, dir, words)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return fmt.Errorf("build: %w: %w", context.Cause(ctx), err)
		case strings.Contains(err.Error(), l.lost):
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
