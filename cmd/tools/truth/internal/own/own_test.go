package own

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/server"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestModes(t *testing.T) {
	target := tool.Target{Protocol: tool.HTTP, Address: "127.0.0.1:1", Rate: 200, Duration: time.Second, Seed: 5}
	for _, m := range Modes("/bin/truth") {
		args, err := m.Command(target)
		require.NoError(t, err)
		require.Len(t, args, 3)
		assert.Equal(t, []string{"/bin/truth", Verb}, args[:2])
		var job Job
		require.NoError(t, json.Unmarshal([]byte(args[2]), &job))
		want := Job{Target: target, Poisson: m.Name == Poisson}
		if m.Name == Loose {
			want.Slack = loose
		}
		assert.Equal(t, want, job)
		said, err := m.Read(target, []byte(`{"P50": 5, "OK": 3}`))
		assert.NoError(t, err)
		assert.Equal(t, tool.Said{P50: 5, OK: 3}, said)
		_, err = m.Read(target, nil)
		assert.Error(t, err)
	}
}

func TestDue(t *testing.T) {
	target := tool.Target{Rate: 1000, Duration: 10 * time.Second, Seed: 5}
	due := Due(target)
	assert.InDelta(t, 10_000, len(due), 500)
	assert.IsNonDecreasing(t, due)
	assert.Less(t, due[len(due)-1], target.Duration)
	assert.Equal(t, due, Due(target))
}

// TestReplies: a reply is right only with the status and the body of one.
func TestReplies(t *testing.T) {
	for _, c := range []struct {
		about, body, say string
		status           int
	}{
		{"a right reply", server.Body, "", http.StatusOK},
		{"a wrong body", "no\n", `body "no\n" instead of "ok\n"`, http.StatusOK},
		{"half of a body", "o", `body "o" instead of "ok\n"`, http.StatusOK},
		{"an error", server.Body, "status 500 Internal Server Error", http.StatusInternalServerError},
	} {
		var got string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = r.Method + " " + string(body)
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
		}))
		call, stop := overHTTP(tool.Target{Address: strings.TrimPrefix(s.URL, "http://"), Post: true})
		if err := call(t.Context(), 0); c.say == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.EqualError(t, err, c.say, c.about)
		}
		assert.Equal(t, "POST a call", got, c.about)
		stop()
		s.Close()
	}
}

func TestNobodyListens(t *testing.T) {
	for _, c := range []struct {
		protocol tool.Protocol
		say      string
	}{
		{tool.HTTP, "connection refused"},
		{tool.GRPC, "no connection to 127.0.0.1:1"},
		{"smtp", `protocol "smtp": neither http nor grpc`},
	} {
		_, err := Floor(t.Context(), tool.Target{Protocol: c.protocol, Address: "127.0.0.1:1", Rate: 1}, time.Second)
		assert.ErrorContains(t, err, c.say)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Error(t, Job{Target: tool.Target{Protocol: tool.GRPC, Address: "127.0.0.1:1", Rate: 1}}.Call(ctx, io.Discard))
}
