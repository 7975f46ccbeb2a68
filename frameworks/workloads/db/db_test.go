package db

import (
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/netrpc"
	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{Frameworks: netrpc.Variants(), Workloads: []workload.Workload{Workload()}})
}

// BenchmarkWorkload is run by a test in another process.
func BenchmarkWorkload(b *testing.B) { suite.Workload(b) }

// BenchmarkDo measures the work alone, by SQLite.
func BenchmarkDo(b *testing.B) {
	work := startWork(b, Workload().Default)
	b.ReportAllocs()
	for b.Loop() {
		if err := work.Do(); err != nil {
			b.Fatal(err)
		}
	}
}

func startWork(tb testing.TB, option string) workload.Work {
	tb.Helper()
	work, err := Workload().Start(option)
	require.NoError(tb, err)
	tb.Cleanup(func() { assert.NoError(tb, work.Close()) })
	return work
}

func TestSQLiteIsConcurrent(t *testing.T) { doConcurrently(t, startWork(t, Workload().Default)) }

func doConcurrently(t *testing.T, work workload.Work) {
	t.Helper()
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for range 50 {
				if !assert.NoError(t, work.Do()) {
					return
				}
			}
		})
	}
	all.Wait()
}

func TestBadOptions(t *testing.T) {
	for _, c := range []struct{ about, option, say string }{
		{"an unknown database", "mysql://u:secret@h/d", "-db: must be sqlite, or a URL that begins with postgres://"},
		{"no database", "", "-db: must be sqlite"},
		{"nobody at the address", "postgres://u:secret@127.0.0.1:1/d", "-db: postgres: failed to connect"},
		{"nobody at two addresses", "postgres://u:secret@127.0.0.1:1,127.0.0.1:2/d", "connection refused"},
		{"somebody at the address who says nothing", "postgres://u:secret@" + silence(t) + "/d?connect_timeout=1", "timeout: context deadline exceeded"},
		{"a URL that does not parse", "postgres://u:secret%zz@h/d", "-db: the postgres URL cannot be parsed"},
		{"a password that could be a fragment", "postgres://u:#secret@127.0.0.1:1/d", "connection refused"},
		{"a parameter of no sense", "postgres://u:secret@h/d?sslmode=secretly", "-db: the postgres URL cannot be used: "},
		{"a timeout of no sense", "postgres://u@h/d?password=secret&connect_timeout=soon", "-db: the postgres URL cannot be used: "},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := Workload().Start(c.option)
			assert.ErrorContains(t, err, c.say)
			assert.NotContains(t, err.Error(), "\n", "one sentence")
			assert.NotRegexp(t, `\bsecret\b`, err.Error())
			assert.LessOrEqual(t, strings.Count(err.Error(), "127.0.0.1:1:"), 1, "nothing is said twice")
		})
	}
}

// silence returns the address of a listener that never answers.
func silence(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

func TestRowsThatChangeAreAnError(t *testing.T) {
	d, err := openSQLite()
	require.NoError(t, err)
	defer d.Close()
	s, err := d.prepare()
	require.NoError(t, err)
	_, err = d.Exec("update message set content = 'other'")
	require.NoError(t, err)
	assert.ErrorIs(t, s.do(), message.ErrWrong)
	_, err = d.Exec("delete from message")
	require.NoError(t, err)
	assert.Error(t, s.do())
}
