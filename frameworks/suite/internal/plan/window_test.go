package plan

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// ponds are fruit of which one has windows to set, up to 8MiB on this machine.
func ponds() []framework.Variant {
	list := fruit()
	list[0].Windows = &framework.Windows{
		Least: 64 << 10,
		Check: func(n int) error {
			if n > 8<<20 {
				return errors.New("the kernel gives 8 MiB")
			}
			return nil
		},
		With: func(int) framework.Variant { return fruit()[0] },
	}
	return list
}

func pondered(pattern string, set ...func(*Options)) (*Plan, error) {
	o := NewOptions()
	o.Pattern = pattern
	o.Sizes.Set("1B")
	for _, s := range set {
		s(o)
	}
	p, err := New(o, ponds(), rings())
	if err == nil {
		err = p.CheckWindows()
	}
	return p, err
}

func windowSizes(text string) func(*Options) { return func(o *Options) { o.Windows.Set(text) } }

func TestWindows(t *testing.T) {
	const bulk = "BenchmarkBulk/framework=apple/mode=a/size=1B/net=none"
	set := func(name string) func(*Options) { return func(o *Options) { o.set = name } }
	for _, c := range []struct {
		about, pattern string
		set            []func(*Options)
		want           []string
	}{
		{"those of the table without -window", "Bulk/framework=apple", nil, []string{bulk, bulk + "/window=1MiB"}},
		{"those of -window instead", "Bulk/framework=apple", []func(*Options){windowSizes("64KiB,4MiB")}, []string{bulk, bulk + "/window=64KiB", bulk + "/window=4MiB"}},
		{"one that the table has, too", "Bulk/framework=apple", []func(*Options){windowSizes("1MiB")}, []string{bulk, bulk + "/window=1MiB"}},
		{"each once", "Bulk/framework=apple", []func(*Options){windowSizes("1MiB,1024KiB")}, []string{bulk, bulk + "/window=1MiB"}},
		{"in every set", "Bulk", []func(*Options){windowSizes("64KiB"), set("recommended")}, []string{bulk, bulk + "/window=64KiB"}},
		{"without those that this machine cannot have", "Bulk/framework=apple", []func(*Options){windowSizes("64KiB,16MiB")}, []string{bulk, bulk + "/window=64KiB"}},
		{"by a pattern", "Bulk/framework=/mode=/size=/net=/window=4MiB", []func(*Options){windowSizes("64KiB,4MiB")}, []string{bulk + "/window=4MiB"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			p, err := pondered(c.pattern, c.set...)
			require.NoError(t, err)
			assert.Equal(t, c.want, p.Names())
		})
	}
}

func TestWindowsThatCannotBe(t *testing.T) {
	only := func(name string) func(*Options) { return func(o *Options) { o.Frameworks.Set(name) } }
	for _, c := range []struct {
		about, pattern string
		set            []func(*Options)
		want           string
	}{
		{"below the least", "Bulk", []func(*Options){windowSizes("64KiB,32KiB")}, "-window=32KiB: the least window of framework=apple/transport=tcp/codec=gob is 64KiB"},
		{"of a framework that has none", "Bulk", []func(*Options){windowSizes("64KiB"), only("berry")}, "-window=64KiB: no framework that is selected has a window to set: apple have"},
		{"of a benchmark that measures none", "Ring", []func(*Options){windowSizes("64KiB")}, "-window=64KiB: windows are measured by Bulk, of which no case is selected"},
		{"a framework that there is not", "Bulk", []func(*Options){windowSizes("64KiB"), only("aple")}, `-framework: unknown framework "aple"; did you mean apple?`},
		{"of a server that is given", "Bulk", []func(*Options){windowSizes("64KiB"), servers("framework=apple@h:1")}, "-server names a window by its keys, as in framework=tcp/transport=conn/codec=none/window=64KiB@HOST:PORT: leave -window out"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := pondered(c.pattern, c.set...)
			assert.EqualError(t, err, c.want)
		})
	}
}

// TestWindowsThatAreLeftOut are named, as are frameworks without.
func TestWindowsThatAreLeftOut(t *testing.T) {
	p, err := pondered("Bulk", windowSizes("64KiB,16MiB"))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"-window=64KiB,16MiB: no window to set: berry, yours",
		"framework=apple/transport=tcp/codec=gob/window=16MiB: the kernel gives 8 MiB",
	}, p.Absent())
	p, err = pondered("Bulk/framework=/mode=/size=/net=/window=", windowSizes("16MiB"))
	require.NoError(t, err)
	assert.ErrorContains(t, p.Empty(), "the kernel gives 8 MiB")
}

func TestFind(t *testing.T) {
	const apple = "framework=apple/transport=tcp/codec=gob"
	for _, c := range []struct{ about, id, window, says string }{
		{"a variant of the table", apple, "", ""},
		{"with its own window", apple + "/window=1MiB", "1MiB", ""},
		{"with another window", apple + "/window=4MiB", "4MiB", ""},
		{"below the least", apple + "/window=1B", "", "-window=1B: the least"},
		{"no size", apple + "/window=large", "", `"large" is not a size`},
		{"of a variant without", "framework=berry/transport=tcp/codec=gob/window=4MiB", "", "no variant"},
		{"not in the table", "framework=pear", "", "no variant"},
	} {
		v, err := Find(ponds(), c.id, nil)
		if c.says != "" {
			assert.ErrorContains(t, err, c.says[min(1, len(c.says)):], c.about)
			continue
		}
		require.NoError(t, err, c.about)
		assert.Equal(t, c.id, v.ID(), c.about)
		assert.Equal(t, c.window, v.Window, c.about)
	}
	v, err := OneVariant(ponds(), apple+"/window=4MiB", nil)
	require.NoError(t, err)
	assert.Equal(t, "4MiB", v.Window, "of -server")
	_, err = OneVariant(ponds(), apple+"/window=1KiB", nil)
	assert.ErrorContains(t, err, "the least window")
}
