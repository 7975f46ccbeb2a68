package httpload

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// in writes a file into a new directory.
func in(t testing.TB, text string) (path string) {
	path = filepath.Join(t.TempDir(), "targets.txt")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

const base = "http://127.0.0.1:8080"

// TestTargetsOfAFile are the same whether they are kept or read when they are due.
func TestTargetsOfAFile(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body.json")
	require.NoError(t, os.WriteFile(body, []byte("{}"), 0o666))
	get := func(path string) Target { return Target{Method: "GET", URL: base + path, Header: http.Header{}} }
	for _, c := range []struct {
		about, text string
		want        []Target
	}{
		{"one", "GET " + base + "/a", []Target{get("/a")}},
		{"empty lines between", "\n\nGET " + base + "/a\n\n\nGET " + base + "/b\n\n", []Target{get("/a"), get("/b")}},
		{"none between", "GET " + base + "/a\nGET " + base + "/b", []Target{get("/a"), get("/b")}},
		{"Windows' ends of lines", "GET " + base + "/a\r\n\r\nGET " + base + "/b\r\n", []Target{get("/a"), get("/b")}},
		{"comments", "# all\nGET " + base + "/a\n# next\nGET " + base + "/b\n#end", []Target{get("/a"), get("/b")}},
		{"a mark of byte order", "\ufeffGET " + base + "/a", []Target{get("/a")}},
		{
			"headers and a body", "POST " + base + "/a\nX-One: 1\nX-One:2\nACCEPT : text/plain\nCookie: a\ncookie: b\n@" + body + "\nGET " + base + "/b",
			[]Target{{"POST", base + "/a", http.Header{"X-One": {"1", "2"}, "Accept": {"text/plain"}, "Cookie": {"a", "b"}}, []byte("{}")}, get("/b")},
		},
		{
			"JSON", `{"method":"PUT","url":"` + base + `/a","header":{"A":["b"]},"body":"e30="}` + "\n" + `{"url":"` + base + `/b"}`,
			[]Target{{"PUT", base + "/a", http.Header{"A": {"b"}}, []byte("{}")}, {URL: base + "/b"}},
		},
	} {
		targets, err := ReadFile(in(t, c.text))
		require.NoError(t, err, c.about)
		kept := targets.list
		for _, list := range [][]parsed{kept, nil} {
			targets.list = list
			require.Equal(t, len(c.want), targets.Len(), c.about)
			var room []byte
			for i, want := range c.want {
				got, err := targets.at(i, &room)
				require.NoError(t, err, c.about)
				assert.Equal(t, want, got.Target, c.about)
			}
		}
		assert.NoError(t, targets.Close())
	}
}

func TestWhatIsNoFileOfTargets(t *testing.T) {
	for _, c := range []struct{ about, text, say string }{
		{"nothing", "", ": there are no targets in it"},
		{"comments alone", "# none\n", ": there are no targets in it"},
		{"a word", "GET " + base + "\n\nhello\n", `:3: "hello" is not a method and a URL, as in GET http://127.0.0.1:8080/`},
		{"a URL without a scheme", "\nGET localhost/a", `:2: the URL "localhost/a" has no scheme: it must be as in http://localhost/a`},
		{"one with a port", "GET localhost:80/a", `:1: the URL "localhost:80/a" has no scheme: it must be as in http://localhost:80/a`},
		{"another scheme", "GET ftp://localhost/a", `:1: the URL "ftp://localhost/a" has the scheme ftp: only http and https are called`},
		{"no host", "GET http:///a", `:1: the URL "http:///a" has no host`},
		{"no URL", "GET http://[::1", `:1: "http://[::1" is not a URL: missing ']' in host`},
		{"an address without a scheme", "GET 127.0.0.1:80/a", `:1: the URL "127.0.0.1:80/a" has no scheme: it must be as in http://127.0.0.1:80/a`},
		{"a line of a request", "GET " + base + "/a HTTP/1.1", `:1: the URL "` + base + `/a HTTP/1.1" has a space: it must be written as %20`},
		{"a port that there is not", "GET http://a:65536/", ":1: the port 65536 is too high: at most 65535"},
		{"a host that is not in ASCII", "GET http://bücher.example/", `:1: the host "bücher.example" must be written in ASCII, as in xn--`},
		{"a body of no file", "POST " + base + "\n@ ", ":2: no file stands behind the @: a body is as in @FILE"},
		{"no method", "get\tit " + base, `:1: "get\tit" is not a method`},
		{"neither a header nor a body", "GET " + base + "\nA: b\nhello", `:3: "hello" is neither a header, as in Accept: text/plain, nor a body, as in @FILE`},
		{"a name of a header", "GET " + base + "\na b: c", `:2: "a b" is not the name of a header`},
		{"a value of a header", "GET " + base + "\nA: b\x01", `:2: the header A has a value with control characters: b\x01`},
		{"a body that is not there", "GET " + base + "\n\nPOST " + base + "\nA: b\n@gone.json", ":5: the body: open gone.json: no such file"},
		{"JSON that is none", `{"url":`, ":1: not a target in JSON: unexpected EOF"},
		{"JSON with more keys", `{"url":"` + base + `","uri":1}`, `:1: not a target in JSON: json: unknown field "uri"`},
		{"two in a line", `{"url":"` + base + `"} {}`, ":1: not a target in JSON: more stands behind it"},
		{"UTF-16", "G\x00E\x00T\x00", `:1: "G\x00E\x00T\x00" is not a method and a URL`},
		{"a line without end", strings.Repeat("x", maxText+1), ":1: a target of more than 16 MiB"},
	} {
		path := in(t, c.text)
		_, err := ReadFile(path)
		assert.ErrorContains(t, err, "httpload: "+path+c.say, c.about)
	}
	_, err := ReadFile(filepath.Join(t.TempDir(), "gone"))
	assert.ErrorContains(t, err, "httpload: targets: open ")
	_, err = ReadFile(t.TempDir())
	assert.ErrorContains(t, err, "is a directory, not a file")
}

// TestManyTargetsTakeLittleMemory: a file of them is not kept, however long it is.
func TestManyTargetsTakeLittleMemory(t *testing.T) {
	const n = 20_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "GET %s/users/%d\nX-Long: %s\n\n", base, i, strings.Repeat("x", 50))
	}
	path := in(t, text.String())
	text.Reset()
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	targets, err := ReadFile(path)
	require.NoError(t, err)
	defer targets.Close()
	assert.Less(t, int64(held()-before), int64(40*n), "bytes, where the file has some 100 a target")
	var room []byte
	one, err := targets.at(n-1, &room)
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprint(base, "/users/", n-1), one.URL)
	assert.Equal(t, []string{"GET /users/*"}, targets.Endpoints())
	assert.Equal(t, n, targets.Len())
}

func TestAFileThatChanges(t *testing.T) {
	path := in(t, "GET "+base)
	targets, err := ReadFile(path)
	require.NoError(t, err)
	defer targets.Close()
	targets.list = nil
	var room []byte
	for about, text := range map[string]string{"another text": "x", "an empty one": "", "empty lines": "\n\n"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err = targets.at(0, &room)
		assert.ErrorContains(t, err, "the file of the targets has changed: ", about)
	}
}

func TestEndpoints(t *testing.T) {
	for _, c := range []struct {
		about string
		urls  []string
		want  []string
	}{
		{"one path", []string{"http://a/b", "http://a/b?c=1"}, []string{"GET /b"}},
		{"no path is the root", []string{"http://a", "http://a/"}, []string{"GET /"}},
		{"identifiers", []string{"http://a/u/1/x", "http://a/u/22/x", "http://a/u/0f8fad5b-d9cb-469f-a165-70867728950e/x", "http://a/u/deadbeef01/x"}, []string{"GET /u/*/x"}},
		{"words are none", []string{"http://a/facade", "http://a/v1", "http://a/deadbeef"}, []string{"GET /facade", "GET /v1", "GET /deadbeef"}},
		{"several hosts", []string{"http://a/x", "http://b:1/x"}, []string{"GET a/x", "GET b:1/x"}},
		{"what is escaped stays so", []string{"http://a/%20é"}, []string{"GET /%20%C3%A9"}},
		{"long paths", []string{"http://a/" + strings.Repeat("x", 300), "http://a/" + strings.Repeat("x", 301)}, []string{"GET /" + strings.Repeat("x", 242) + "…", "GET /" + strings.Repeat("x", 242) + "…~2"}},
	} {
		var list []Target
		for _, u := range c.urls {
			list = append(list, Target{URL: u})
		}
		targets, err := List(list...)
		require.NoError(t, err, c.about)
		assert.Equal(t, c.want, targets.Endpoints(), c.about)
	}
}

// TestEndpointsWithoutRoom are others, as many as there are.
func TestEndpointsWithoutRoom(t *testing.T) {
	var list []Target
	for i := range 200 {
		list = append(list, Target{URL: fmt.Sprintf("%s/x%d", base, i)})
	}
	targets, err := List(list...)
	require.NoError(t, err)
	names := targets.Endpoints()
	assert.Len(t, names, maxEndpoints+1)
	assert.Equal(t, others, names[maxEndpoints])
	assert.Equal(t, uint8(maxEndpoints), targets.of[199])
	assert.Equal(t, uint8(3), targets.of[3])
}

func TestListRefusesBadTargets(t *testing.T) {
	for _, c := range []struct {
		about string
		list  []Target
		say   string
	}{
		{"none", nil, "httpload: there are no targets"},
		{"the only one has no name", []Target{{URL: "a"}}, `httpload: the URL "a" has no scheme: it must be as in http://a`},
		{"of several it has a number", []Target{{URL: base}, {URL: "//a/b"}}, `httpload: target 1: the URL "//a/b" has no scheme: it must be as in http://a/b`},
		{"a method", []Target{{URL: base, Method: "A B"}}, `httpload: "A B" is not a method`},
		{"a header", []Target{{URL: base, Header: http.Header{"A": {"b\n"}}}}, `httpload: the header A has a value with control characters: b\n`},
	} {
		_, err := List(c.list...)
		assert.EqualError(t, err, c.say, c.about)
	}
}
