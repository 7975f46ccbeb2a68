package commandline

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// someFlags are flags as a test binary has them.
func someFlags() *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.PanicOnError)
	fs.String("framework", "", "`frameworks` to measure")
	fs.Int("conns", 10, "connections")
	fs.Int("conc", 100, "callers")
	fs.Bool("detail", false, "report more")
	fs.Float64("share", 0, "a share of what there is, which takes more than the one line that it has here")
	fs.Duration("watchdog", time.Second, "time")
	fs.String("test.benchtime", "1s", "time")
	fs.Bool("test.v", false, "say more")
	return fs
}

func TestOneSentence(t *testing.T) {
	for _, c := range []struct {
		about string
		args  []string
		say   string
	}{
		{"a letter is missing", []string{"-famework=x"}, "unknown flag -famework; did you mean -framework?"},
		{"two letters are swapped", []string{"-detial"}, "unknown flag -detial; did you mean -detail?"},
		{"two names are as near", []string{"-conn=1"}, "unknown flag -conn; did you mean -conc?"},
		{"two dashes are one", []string{"--frame"}, "unknown flag -frame; did you mean -framework?"},
		{"nothing is near", []string{"-colour"}, "unknown flag -colour; -h lists the flags, after go test . -args -h"},
		{"a flag of go test", []string{"-benchtime=1s"}, "-benchtime is a flag of go test: write it before -args, or -test.benchtime for a compiled binary"},
		{"one that is mistyped", []string{"-benchtme=1s"}, "unknown flag -benchtme; did you mean -test.benchtime?"},
		{"one with test. before it", []string{"-test.bentime=1s"}, "unknown flag -test.bentime; did you mean -test.benchtime?"},
		{"a caller's own hint, with the value", []string{"-size=1", "-codec=json"}, "give -bench codec=json"},
		{"the value comes after a space", []string{"-codec", "json", "-detail"}, "give -bench codec=json"},
		{"another flag is no value", []string{"-codec", "-detail"}, "give -bench codec="},
		{"no value", []string{"-detail", "-conns"}, "-conns needs a value: write -conns=…"},
		{"no number", []string{"-conns=many"}, "-conns=many: must be a whole number"},
		{"no share", []string{"-share=\"half\""}, "-share=\"half\": must be a number"},
		{"neither true nor false", []string{"-detail=some"}, "-detail=some: must be true or false"},
		{"no time", []string{"-watchdog", "10"}, "-watchdog=10: must be a duration, as in 10s or 500ms"},
		{"dashes", []string{"---conc"}, "bad flag syntax: ---conc"},
	} {
		fs := someFlags()
		fs.Int("size", 1, "")
		err := Parse(fs, c.args, func(name, value string) string {
			if name == "codec" {
				return "give -bench codec=" + value
			}
			return ""
		})
		assert.EqualError(t, err, c.say, c.about)
	}
	assert.EqualError(t, Parse(flag.NewFlagSet("", flag.PanicOnError), []string{"-x"}, nil), "unknown flag -x; -h lists the flags")
	assert.ErrorIs(t, Parse(someFlags(), []string{"-h"}, nil), flag.ErrHelp)
	fs := someFlags()
	assert.NoError(t, Parse(fs, []string{"-conc=3", "rest"}, nil))
	assert.Equal(t, []string{"rest"}, fs.Args())
}

func TestNearest(t *testing.T) {
	names := []string{"grpc", "kitex", "arpc", "tcp", "netrpc", "serve", "server", "servers"}
	for _, c := range []struct {
		about, name string
		near        []string
	}{
		{"two letters are swapped", "grcp", []string{"grpc"}},
		{"capitals make no difference", "KITEX", []string{"kitex"}},
		{"several are as near", "rpc", []string{"grpc", "arpc"}},
		{"those of the same length come first", "servar", []string{"server"}},
		{"a name that was not finished", "kit", []string{"kitex"}},
		{"a name that goes on", "kitexgo", []string{"kitex"}},
		{"one letter is too little to tell", "g", nil},
		{"nothing is near", "dubbo", nil},
		{"nothing is near to nothing", "", nil},
		{"two of three letters are others", "txx", nil},
	} {
		assert.Equal(t, c.near, Nearest(c.name, names), c.about)
	}
	assert.Equal(t, "did you mean a?", DidYouMean([]string{"a"}))
	assert.Equal(t, "did you mean a, b or c?", DidYouMean([]string{"a", "b", "c"}))
}

func TestHelp(t *testing.T) {
	assert.Equal(t, `
Load
  -conc int                 callers (100)
  -share float              a share of what there is, which takes more than the one line
                            that it has here

More
  -conns int                connections (10)
  -detail                   report more
  -framework frameworks     frameworks to measure
  -watchdog duration        time (1s)
`, Help(someFlags(), Subject{"Load", []string{"conc", "share"}}))
	fs := flag.NewFlagSet("", flag.PanicOnError)
	fs.String("a-name-that-is-rather-long", "", "`file` of it\nand more")
	assert.Equal(t, "  -a-name-that-is-rather-long file\n                            file of it\n                            and more\n", Help(fs))
}
