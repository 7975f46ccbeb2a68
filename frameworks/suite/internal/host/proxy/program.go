package proxy

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
)

// The programs.
const (
	NGINX   = "nginx"
	HAProxy = "haproxy"
)

// program is how a program is started.
type program struct {
	name    string
	install string   // the packages of Debian that it takes
	version string   // the option with which it prints its version
	args    []string // before the name of its file
	// config returns the text of its file.
	config func(path, addr string, c Config) (string, error)
}

func programs() []program {
	return []program{
		{
			name: NGINX, install: "nginx and libnginx-mod-stream", version: "-v", args: []string{"-c"},
			config: func(path, addr string, c Config) (string, error) {
				build, err := exec.Command(path, "-V").CombinedOutput()
				if err != nil {
					return "", fmt.Errorf("%s -V: %w", path, err)
				}
				module, err := streamModule(string(build))
				return module + nginxConfig(addr, c), err
			},
		},
		{
			name: HAProxy, install: "haproxy", version: "-v", args: []string{"-db", "-q", "-f"},
			config: func(_, addr string, c Config) (string, error) { return haproxyConfig(addr, c), nil },
		},
	}
}

func programOf(name string) (program, error) {
	for _, p := range programs() {
		if p.name == name && runtime.GOOS == "linux" {
			return p, nil
		}
	}
	return program{}, fmt.Errorf("no proxy %q on %s: %w", name, runtime.GOOS, errors.ErrUnsupported)
}

// find returns the path of a program. Debian has both where only root's PATH leads. An
// empty PATH leads nowhere.
func find(name, path string) (string, error) {
	if path == "" {
		return "", fmt.Errorf("there is no program %s", name)
	}
	for _, dir := range append(filepath.SplitList(path), "/usr/local/sbin", "/usr/sbin") {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("there is no program %s", name)
}

// command executes the program with as many files as it may have: a proxy needs two for
// each connection.
func (p program) command(path, file, dir string) *exec.Cmd {
	const raised = `ulimit -n "$(ulimit -H -n)"; exec "$@"`
	cmd := exec.Command("/bin/sh", append(append([]string{"-c", raised, "sh", path}, p.args...), file)...)
	cmd.Env, cmd.Dir = []string{"PATH=/usr/bin:/bin"}, dir
	return cmd
}

// Version returns what a program says of its version, in a line.
func Version(name string) (string, error) {
	p, err := programOf(name)
	if err != nil {
		return "", err
	}
	path, err := find(name, os.Getenv("PATH"))
	if err != nil {
		return "", err
	}
	text, err := exec.Command(path, p.version).CombinedOutput()
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(first, "nginx version: "), err
}

// Both texts leave to the program what its documentation leaves to it, such as the sizes
// of its buffers. They say where to listen, that one process serves, how many connections
// there may be, and that silent ones stay open.

const nginxText = `daemon off;
master_process off;
worker_processes 1;
pid %[1]s/nginx.pid;
error_log stderr;
events { worker_connections %[2]d; }
stream {
	server {
		listen %[3]s;
		proxy_pass %[4]s;
		proxy_timeout 1d;
	}
}
`

func nginxConfig(addr string, c Config) string {
	return fmt.Sprintf(nginxText, c.Dir, 2*mostConns(files.Limit()), addr, c.Server)
}

const haproxyText = `global
	nbthread 1
	maxconn %[1]d
defaults
	mode tcp
	timeout connect 10s
	timeout client 1d
	timeout server 1d
listen rpcbench
	bind %[2]s
	server one %[3]s
`

func haproxyConfig(addr string, c Config) string {
	return fmt.Sprintf(haproxyText, mostConns(files.Limit()), addr, c.Server)
}

// mostConns is how many connections a proxy has room for, if it may open this many files;
// 0: it may open any number.
func mostConns(files int) int {
	const most, others = 20_000, 100
	if files == 0 {
		return most
	}
	return max(min((files-others)/2, most), 1)
}

// streamModule returns the line that loads nginx's module for TCP, from what nginx -V says;
// "" if it is built in.
func streamModule(build string) (line string, err error) {
	with := regexp.MustCompile(`--with-stream(=dynamic)?(\s|$)`).FindStringSubmatch(build)
	switch {
	case with == nil:
		return "", errors.New("this nginx was built without its module stream, for TCP")
	case with[1] == "":
		return "", nil
	}
	file := filepath.Join(option(build, "prefix"), "modules")
	if path := option(build, "modules-path"); path != "" {
		file = path
	}
	file = filepath.Join(file, "ngx_stream_module.so")
	if _, err := os.Stat(file); err != nil {
		return "", errors.New("nginx lacks its module stream, for TCP: install libnginx-mod-stream")
	}
	return "load_module " + strconv.Quote(file) + ";\n", nil
}

// option returns the value of one of the options with which nginx was built.
func option(build, name string) string {
	value := regexp.MustCompile(`--` + name + `=(\S+)`).FindStringSubmatch(build)
	if value == nil {
		return ""
	}
	return value[1]
}
