package footprint

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/part"
	"github.com/rpcbench/rpcbench/loadgen"
)

// envProgram has the test binary be the program of the variant that it names.
const envProgram = "RPCBENCH_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(envProgram); name != "" {
		Main(only(name))
	}
	if part.Playing() != "" {
		Main(fakes())
	}
	os.Exit(m.Run())
}

// What is planted.
const (
	plantedBytes      = 8 << 20
	plantedGoroutines = 10
	plantedTime       = 100 * time.Millisecond
)

// fakes are variants that are named by what they do.
func fakes() []framework.Variant {
	return []framework.Variant{
		fake("plain", func() error { return nil }, 0),
		fake("large", func() error {
			held = bytes.Repeat([]byte{1}, plantedBytes)
			return nil
		}, 0),
		fake("crowded", func() error {
			for range plantedGoroutines {
				go func() { select {} }()
			}
			return nil
		}, 0),
		fake("late", func() error { time.Sleep(plantedTime); return nil }, 0),
		fake("slow", func() error { return nil }, plantedTime),
		fake("silent", func() error { fmt.Print("still thinking"); select {} }, 0),
		fake("refused", func() error { return fmt.Errorf("the port\nis taken") }, 0),
		fake("mortal", func() error { fmt.Println("no server today"); os.Exit(3); return nil }, 0),
		fake("talkative", func() error {
			for range 10_000 {
				fmt.Print("a framework's log\nwithout an end: ")
			}
			return nil
		}, 0),
		wrong(),
	}
}

// held is memory of a server.
var held []byte

// only is the fake of a name.
func only(names ...string) (list []framework.Variant) {
	for _, name := range names {
		for _, v := range fakes() {
			if v.Framework == name {
				list = append(list, v)
			}
		}
	}
	return list
}

// fake echoes payloads over TCP. It first does what it is named by, and takes a while
// for each reply.
func fake(name string, first func() error, delay time.Duration) framework.Variant {
	return framework.Variant{
		Keys: framework.Keys{Framework: name, Transport: "tcp", Codec: "none"}, Recommended: true, Abilities: framework.Abilities{Kind: framework.Bare},
		Serve: func(addr string) (framework.Server, error) {
			if err := first(); err != nil {
				return nil, err
			}
			return listen(addr, delay)
		},
		Dial: func(addr string, _ framework.DialOptions) (framework.Client, error) {
			c, err := net.Dial("tcp", addr)
			return client{c}, err
		},
	}
}

// wrong is a variant whose client hands out another reply.
func wrong() framework.Variant {
	v := fake("wrong", func() error { return nil }, 0)
	dial := v.Dial
	v.Dial = func(addr string, o framework.DialOptions) (framework.Client, error) {
		c, err := dial(addr, o)
		return inverting{c}, err
	}
	return v
}

type inverting struct{ framework.Client }

func (c inverting) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.Client.Echo(requests, func(worker int, reply framework.EchoMessage) error {
		ask.Flip(reply.Msg)
		return check(worker, reply)
	})
}

type server struct{ net.Listener }

func (s server) Addr() string { return s.Listener.Addr().String() }

func listen(addr string, delay time.Duration) (framework.Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answer(c, delay)
		}
	}()
	return server{l}, nil
}

func answer(c net.Conn, delay time.Duration) {
	defer c.Close()
	for b := make([]byte, payload); ; {
		if _, err := io.ReadFull(c, b); err != nil {
			return
		}
		time.Sleep(delay)
		if _, err := c.Write(b); err != nil {
			return
		}
	}
}

type client struct{ net.Conn }

func (c client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(_ context.Context, worker int) error {
		if _, err := c.Write(requests[worker].Msg); err != nil {
			return err
		}
		b := make([]byte, payload)
		if _, err := io.ReadFull(c, b); err != nil {
			return err
		}
		return check(worker, framework.EchoMessage{Msg: b})
	}
}

// measured runs the program of some fakes and returns the values of each by unit.
func measured(t *testing.T, args []string, names ...string) (values map[string]map[string]float64, said string, exitCode int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	exitCode = run(args, only(names...), &stdout, &stderr)
	return parse(t, stdout.String()), stderr.String(), exitCode
}

var result = regexp.MustCompile(`(?m)^BenchmarkFootprint/framework=(\w+)/transport=tcp/codec=none\t1\t(.*)$`)

func parse(t *testing.T, text string) map[string]map[string]float64 {
	values := map[string]map[string]float64{}
	for _, m := range result.FindAllStringSubmatch(text, -1) {
		values[m[1]] = map[string]float64{}
		for field := range strings.SplitSeq(m[2], "\t") {
			number, unit, _ := strings.Cut(field, " ")
			value, err := strconv.ParseFloat(number, 64)
			require.NoError(t, err)
			assert.Contains(t, text, "Unit "+unit+" better=lower", "benchstat knows every unit")
			values[m[1]][unit] = value
		}
	}
	return values
}

var briefly = []string{"-rest=100ms"}

func TestWhatIsPlantedIsSeen(t *testing.T) {
	got, said, code := measured(t, briefly, "plain", "large", "crowded", "late", "slow", "talkative")
	require.Zero(t, code, said)
	require.Len(t, got, 6)
	plain := got["plain"]
	more := func(name, unit string) float64 { return got[name][unit] - plain[unit] }
	assert.EqualValues(t, plantedGoroutines, more("crowded", "server-goroutines"))
	assert.Zero(t, more("large", "server-goroutines"))
	assert.GreaterOrEqual(t, got["late"]["listen-ns"], float64(plantedTime))
	assert.GreaterOrEqual(t, got["slow"]["first-reply-ns"]-got["slow"]["listen-ns"], float64(plantedTime))
	for name, values := range got {
		assert.Positive(t, values["listen-ns"], name)
		assert.Greater(t, values["first-reply-ns"], values["listen-ns"], name)
		assert.Equal(t, plain["binary-B"], values["binary-B"], name)
	}
	if plain["server-rss-B"] > 0 { // where the system tells
		assert.GreaterOrEqual(t, more("large", "server-rss-B"), .9*plantedBytes)
		assert.LessOrEqual(t, more("large", "server-rss-B"), 4.*plantedBytes) // the race detector has its own beside it
	}
}

// A start that is not slowed is found faster. Of several the fastest are compared, since
// other processes may delay some.
func TestOfTwoStartsTheSlowIsSlower(t *testing.T) {
	fastest := map[string]float64{}
	for range 3 {
		got, said, code := measured(t, []string{"-rest=0s"}, "plain", "late")
		require.Zero(t, code, said)
		for name, values := range got {
			if fastest[name] == 0 || values["listen-ns"] < fastest[name] {
				fastest[name] = values["listen-ns"]
			}
		}
	}
	assert.Less(t, fastest["plain"], fastest["late"])
}

// A program that is larger by a planted megabyte is a copy with one behind its end.
func TestAMegabyteOfABinaryIsSeen(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	binary, err := os.ReadFile(exe)
	require.NoError(t, err)
	larger := filepath.Join(t.TempDir(), "larger.exe")
	require.NoError(t, os.WriteFile(larger, append(binary, make([]byte, 1<<20)...), 0o700))
	cmd := exec.CommandContext(t.Context(), larger, "-rest=0s")
	cmd.Env = append(os.Environ(), envProgram+"=plain")
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.EqualValues(t, len(binary)+1<<20, parse(t, string(out))["plain"]["binary-B"])
}

func TestAVariantThatFailsIsASentence(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"silent", `footprint: framework=silent/transport=tcp/codec=none: the server did not listen: nothing for 3s; it printed nothing` + "\n"},
		{"refused", `footprint: framework=refused/transport=tcp/codec=none: the server did not listen: the port\nis taken` + "\n"},
		{"mortal", `footprint: framework=mortal/transport=tcp/codec=none: the server did not listen: the process ended: exit status 3; its last output: no server today` + "\n"},
		{"wrong", `footprint: framework=wrong/transport=tcp/codec=none: the server did not reply: the reply is not what was sent` + "\n"},
	} {
		limit := "-limit=20s"
		if c.name == "silent" {
			limit = "-limit=3s"
		}
		got, said, code := measured(t, []string{"-rest=0s", limit}, c.name)
		assert.Equal(t, 1, code, c.name)
		assert.Equal(t, c.want, said, c.name)
		assert.Empty(t, got, c.name)
	}
	got, _, code := measured(t, []string{"-rest=0s"}, "refused", "plain")
	assert.Equal(t, 1, code)
	assert.Contains(t, got, "plain", "the others are measured")
}

func TestCommandLine(t *testing.T) {
	standIn := fake("foreign", nil, 0)
	standIn.StandIn = true
	for _, c := range []struct {
		about    string
		args     []string
		variants []framework.Variant
		code     int
		said     string
	}{
		{"benchrounds asks for the cases", []string{"-cases", "-rest=800ms"}, only("plain", "late"), 0, "# 2 cases, about 2s\n"},
		{"it leaves out a framework without a server", []string{"-cases"}, []framework.Variant{standIn}, 2, "# 0 cases\nfootprint: no variant has a server in Go\n"},
		{"without a server there is nothing to measure", nil, []framework.Variant{standIn}, 2, "footprint: no variant has a server in Go\n"},
		{"an argument", []string{"grpc"}, only("plain"), 2, "footprint: \"grpc\" is no flag\n"},
		{"no limit", []string{"-limit=0s"}, only("plain"), 2, "footprint: -rest and -limit: a time must not be negative, and a limit not 0\n"},
		{"a flag that is not there", []string{"-rets=1s"}, only("plain"), 2, "footprint: unknown flag -rets; did you mean -rest?\n"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, c.code, run(c.args, c.variants, &stdout, &stderr), c.about)
		assert.Equal(t, c.said, stderr.String(), c.about)
	}
}

func TestRecommended(t *testing.T) {
	a, b, c := fake("a", nil, 0), fake("b", nil, 0), fake("c", nil, 0)
	b.Recommended = false
	names := func(list []framework.Variant) (names string) {
		for _, v := range recommended(list) {
			names += v.Framework
		}
		return names
	}
	assert.Equal(t, "ac", names([]framework.Variant{a, b, c}))
	assert.Equal(t, "b", names([]framework.Variant{b, b}), "the first if none is")
	c.StandIn = true
	assert.Equal(t, "a", names([]framework.Variant{c, a}))
}

func TestModulesAreThoseOfOthers(t *testing.T) {
	module := func(path, version string, replace *debug.Module) *debug.Module {
		return &debug.Module{Path: path, Version: version, Replace: replace}
	}
	info := &debug.BuildInfo{Deps: []*debug.Module{
		module("example.com/framework", "v1.2.3", nil),
		module("example.com/forked", "v1.0.0", module("example.com/fork", "v1.0.1", nil)),
		module("example.com/local", "v0.5.0", module("../local", "", nil)),
		module("example.com/mine", "(devel)", nil),
		module(ours, "(devel)", nil),
		module(ours+"/loadgen", "v0.1.0", module("./loadgen", "(devel)", nil)),
		module(ours+"mark", "v1.0.0", nil),
	}}
	assert.Equal(t, map[string]string{
		"example.com/framework": "v1.2.3", "example.com/forked": "v1.0.1", "example.com/local": "v0.5.0", ours + "mark": "v1.0.0",
	}, others(info))
	assert.Empty(t, others(nil), "a program that was built without modules")
}

func TestConfigNamesTheVersions(t *testing.T) {
	v := fake("fast", nil, 0)
	v.Modules = []string{"example.com/fast/v2", "example.com/codec"}
	got := config([]framework.Variant{v}, map[string]string{"example.com/fast/v2": "v2.1.0", "example.com/else": "v1.0.0"})
	assert.Equal(t, "v2.1.0", got["fast"])
	assert.NotContains(t, got, "else")
	assert.NotContains(t, got, "codec")
	for _, key := range []string{"go", "goos", "goarch", "procs", "gogc"} {
		assert.NotEmpty(t, got[key], key)
	}
}

// Without a figure that the system does not tell, the unit is absent.
func TestMetrics(t *testing.T) {
	f := figures{binary: 5, modules: 4, listen: 3, reply: 2, rss: 1, goroutines: 6}
	assert.Equal(t, []string{"5 binary-B", "4 modules", "3 listen-ns", "2 first-reply-ns", "1 server-rss-B", "6 server-goroutines"}, f.metrics())
	f.rss = 0
	assert.NotContains(t, strings.Join(f.metrics(), " "), "rss")
}

// A server that is started knows no setting of one framework.
func TestWhatIsLeftOutIsTold(t *testing.T) {
	for _, name := range environ.Alone(os.Environ()) {
		t.Setenv(name, "") // restores it after the test
		require.NoError(t, os.Unsetenv(name))
	}
	t.Setenv("KITEX_DISABLE_RPCINFO_POOL", "1")
	for _, c := range []struct {
		about string
		args  []string
		told  int // times
	}{
		{"beside what is measured", briefly, 1},
		{"and not in a list of cases", []string{"-cases"}, 0},
	} {
		var stdout, stderr bytes.Buffer
		assert.Zero(t, run(c.args, only("plain"), &stdout, &stderr), c.about)
		assert.Equal(t, c.told, strings.Count(stdout.String(), "# environment: left out KITEX_DISABLE_RPCINFO_POOL\n"), c.about)
	}
}
