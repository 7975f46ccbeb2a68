package proxy

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "text"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "program"), nil, 0o700))
	for _, c := range []struct{ says, name, path, want string }{
		{"a program of the PATH is found", "program", "/nowhere:" + dir, filepath.Join(dir, "program")},
		{"what cannot be executed is none", "text", dir, ""},
		{"nor is a directory", "folder", dir, ""},
		{"nor what is in no directory", "none", dir, ""},
		{"an empty PATH leads nowhere", "program", "", ""},
	} {
		t.Run(c.says, func(t *testing.T) {
			got, err := find(c.name, c.path)
			assert.Equal(t, c.want, got)
			if c.want == "" {
				assert.EqualError(t, err, "there is no program "+c.name)
			}
		})
	}
}

func TestMissingProgramsSayWhatToInstall(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have no proxies")
	}
	t.Setenv("PATH", "")
	for program, packages := range map[string]string{NGINX: "nginx and libnginx-mod-stream", HAProxy: "haproxy"} {
		assert.EqualError(t, Try(Config{Program: program}), "there is no program "+program+": install "+packages)
	}
	assert.ErrorContains(t, Try(Config{Program: "squid"}), `no proxy "squid"`)
}

func TestStreamModule(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "ngx_stream_module.so")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, c := range []struct{ says, build, want string }{
		{"a module of its own is loaded", "--modules-path=" + dir + " --with-stream=dynamic --with-x", "load_module " + strconv.Quote(file) + ";\n"},
		{"one that is built in is there", "--modules-path=" + dir + " --with-stream --with-x", ""},
		{"also as the last option", "--with-stream", ""},
	} {
		t.Run(c.says, func(t *testing.T) {
			got, err := streamModule(c.build)
			assert.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestMostConns(t *testing.T) {
	for _, c := range []struct {
		says        string
		files, want int
	}{
		{"a connection takes two files", 1100, 500},
		{"any number of files is enough for as many as a machine opens", 0, 20_000},
		{"so is a large number", 1 << 20, 20_000},
		{"too few files are for one connection", 50, 1},
	} {
		t.Run(c.says, func(t *testing.T) { assert.Equal(t, c.want, mostConns(c.files)) })
	}
}
