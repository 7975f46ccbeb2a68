package suite

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/race"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTable runs the tests over a table of one fake in a process of its own, and looks
// whether the fault of that is found.
func TestTable(t *testing.T) {
	if os.Getenv(tableOnly) != "" {
		testsOverTable(t)
		return
	}
	for _, row := range []struct {
		about, fake, test string
		args              string
		say               string // what is said of a fault; "" for none
	}{
		{"a good one passes", "good", "Conformance", "", ""},
		{"one without some messages", "measured", "Conformance", "", ""},
		{"what is lost", "loses", "Conformance", "", "Field272:"},
		{"what is left of the last message", "left", "Conformance", "", "after 1 others"},
		{"what stood before", "front", "Conformance", "", `append changed what stood before: "<FRONT>`},
		{"good properties", "good", "Properties", "", ""},
		{"sharing memory that is declared", "sharing", "Properties", "", ""},
		{"sharing memory that is not", "shares", "Properties", "", "sharing memory with the input is declared by Shares"},
		{"writing to the input", "changes", "Properties", "", "decoding may not write to its input"},
		{"losing what is not declared", "loses", "Properties", "", "loses: got "},
		{"memory that is used again", "good", "Reuse", "", ""},
		{"more allocations with it", "wasteful", "Reuse", "", "msg=large"},
		{"goroutines", "good", "Together", "", ""},
		{"an error of one of them", "loses", "Together", "", "Field272:"},
		{"what is known to race is left out", "racing", "Together", "", ""},
		{"a panic that is not declared", "panics", "Hostile", "-mutations=8", "worse than its entry's Hazard: input 0, truncated: unexpected end"},
		{"one of what is read in place", "touchy", "Hostile", "-mutations=8", "worse than its entry's Hazard: input 2, truncated: unexpected end"},
		{"one that is, of one input", "declared", "Hostile", "-mutations=1", ""},
	} {
		t.Run(row.about, func(t *testing.T) {
			t.Parallel()
			if row.test == "Hostile" && hostile.Unsupported() != "" || row.test == "Reuse" && race.Enabled {
				t.Skip("not here")
			}
			out, errOut, code := overTable(t, row.fake, row.test, t.TempDir(), row.args)
			if row.say == "" {
				assert.Zero(t, code, out+errOut)
				return
			}
			assert.Equal(t, 1, code)
			assert.Contains(t, out, row.say)
		})
	}
}

// overTable runs one of the tests over a table of one fake, in a directory.
func overTable(t *testing.T, fake, test, dir, args string) (out, errOut string, code int) {
	return selfIn(t, dir, []string{tableOnly + "=" + fake}, append([]string{"-test.run=^TestTable$/^" + test + "$"}, strings.Fields(args)...)...)
}

// testsOverTable are the tests as a module with serializers calls them.
func testsOverTable(t *testing.T) {
	t.Run("Conformance", Conformance)
	t.Run("Properties", Properties)
	t.Run("Reuse", Reuse)
	t.Run("Together", Together)
	t.Run("Hostile", func(t *testing.T) { Hostile(t, "hostile.json") })
	t.Run("Readme", func(t *testing.T) {
		Readme(t, ReadmeFiles{"readme.tmpl", "hostile.json", "figures.txt", "parallel.txt", "share.txt", "README.md", nil})
	})
}

// readmeDir has what a README of the fake "measured" is made of.
func readmeDir(t *testing.T, fake string) string {
	dir := t.TempDir()
	var figures strings.Builder
	for _, kind := range messages.Measured {
		for _, op := range []bed.Operation{bed.MarshalFresh, bed.Unmarshal, bed.UnmarshalReuse} {
			for range 6 {
				fmt.Fprintf(&figures, "BenchmarkCodec/codec=%s/msg=%s/op=%s-2 100 1 ns/op 1000 cpu-ns/op 64 B/op 2 allocs/op 27 encoded-B 30 gz-B 29 zstd-B\n", fake, kind.Name, op)
			}
		}
	}
	files := map[string]string{
		"figures.txt": "date: today\n" + fake + ": v1.2.3\n" + figures.String(),
		"parallel.txt": fmt.Sprintf("date: yesterday\n%[1]s: v1.2.3\n"+
			"BenchmarkParallel/codec=%[1]s/msg=bench/op=marshal_fresh 1 1000 cpu-ns/op\nBenchmarkParallel/codec=%[1]s/msg=bench/op=unmarshal 1 500 cpu-ns/op\n", fake),
		"share.txt": fmt.Sprintf("date: long ago\n%[1]s: v1.2.3\n"+
			"BenchmarkMessage/framework=x/codec=%[1]s-2 1 30000 client-cpu-ns/op 50000 server-cpu-ns/op\n"+
			"BenchmarkCodec/codec=%[1]s/msg=bench/op=marshal_fresh-2 1 1000 cpu-ns/op\nBenchmarkCodec/codec=%[1]s/msg=bench/op=unmarshal-2 1 3000 cpu-ns/op\n", fake),
		"readme.tmpl": "{{.Entries}} {{.Mutations}} {{.Rounds}} {{.Anew}} {{.Config.date}} {{.Parallel.Config.date}} {{.Share.Config.date}}\n" +
			"{{.Properties}}\n\n{{.Hostile}}\n\n{{.Speed.small}}\n\n{{.Parallel.Table}}\n\n{{.Share.Table}}\n",
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	v := hostile.Verdict{OK: 1, Errors: 2, Panics: 3, Reached: 4, Greedy: 5, Killed: 6, LeftOut: 7, Largest: 5 << 20, Worst: "a | `b`"}
	text, err := json.Marshal(map[string]hostileResult{fake: {"v1.2.3", "2026-11-23", v}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hostile.json"), text, 0o600))
	return dir
}

// TestReadme makes a README of one fake, with every figure in its place.
func TestReadme(t *testing.T) {
	dir := readmeDir(t, "measured")
	_, errOut, code := overTable(t, "measured", "Readme", dir, "-update")
	require.Zero(t, code, errOut)
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	assert.Equal(t, strings.Join([]string{
		"1 28 6 measured today yesterday long ago",
		"| serializer | version | format | code by | decoded memory | bad UTF-8 out, in | presence | same bytes | older reader | parallel use |",
		"|---|---|---|---|---|---|---|---|---|---|",
		"| measured | v1.2.3 | JSON | reflection | copies | replaces, replaces | kept | yes | - | safe |",
		"",
		"| serializer | ok | error | panic | other memory | greedy | killed | most memory | the worst | tested |",
		"|---|---|---|---|---|---|---|---|---|---|",
		`| measured | 1 | 2 | 3 | 4 | 5 | 6 | 5 MiB | ` + "`a \\| 'b'`" + ` | 2026-11-23 |`,
		"",
		"| place | serializer | marshal | marshal_fresh | unmarshal | unmarshal_reuse | touch | allocations | bytes allocated | encoded-B | gz-B | zstd-B |",
		"|---|---|---|---|---|---|---|---|---|---|---|---|",
		"| 1 | measured | - | 1000 ± 0 % | 1000 ± 0 % | 1000 ± 0 % | - | 2 + 2 (2) | 64 + 64 (64) | 27 | 30 | 29 |",
		"",
		"| serializer | marshal_fresh, procs=1 | grows | unmarshal, procs=1 | grows |",
		"|---|---|---|---|---|",
		"| measured | 1000 | × 1.00 | 500 | × 1.00 |",
		"",
		"| call | CPU of a call, client + server, µs | of it the serializer's, µs | share |",
		"|---|---|---|---|",
		"| framework=x/codec=measured | 80.0 | 8.0 | 10 % |",
		"",
	}, "\n"), string(text))
	_, errOut, code = overTable(t, "measured", "Readme", dir, "")
	assert.Zero(t, code, errOut)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), append(text, '.'), 0o600))
	out, _, code := overTable(t, "measured", "Readme", dir, "")
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "stale; -update writes it again")
}

// TestReadmeIsRefused has what a README must not be made of.
func TestReadmeIsRefused(t *testing.T) {
	for _, row := range []struct{ about, fake, file, old, replace, say string }{
		{"verdicts about another version", "measured", "hostile.json", "v1.2.3", "v1.2.2", "hostile.json: not about measured v1.2.3: test it again, with -update"},
		{"or about none", "measured", "hostile.json", `"measured"`, `"other"`, "hostile.json: not about measured v1.2.3: test it again, with -update"},
		{"verdicts that are cut off", "measured", "hostile.json", "}", "", "unexpected end"},
		{"figures about another version", "measured", "figures.txt", "measured: v1.2.3", "measured: v1", `about measured "v1", not v1.2.3: measure again`},
		{"parallel figures about another version", "measured", "parallel.txt", "measured: v1.2.3", "measured: v1", `about measured "v1", not v1.2.3: measure again`},
		{"a share about another version", "measured", "share.txt", "measured: v1.2.3", "measured: v1", `about measured "v1", not v1.2.3: measure again`},
		{"figures without a message", "measured", "figures.txt", "msg=flat", "msg=fat", "no CPU time of measured, flat: measure all messages again"},
		{"a template of something else", "measured", "readme.tmpl", "{{.Rounds}}", "{{.Laps}}", "Laps"},
		{"advisories of another version", "outdated", "", "", "", "GO-1, GO-2 are known of v1.2.2; look whether they are of v1.2.3 too"},
	} {
		t.Run(row.about, func(t *testing.T) {
			dir := readmeDir(t, row.fake)
			if row.file != "" {
				file := filepath.Join(dir, row.file)
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), row.old, row.replace)), 0o600))
			}
			out, _, code := overTable(t, row.fake, "Readme", dir, "-update")
			assert.Equal(t, 1, code)
			assert.Contains(t, out, row.say)
			assert.NoFileExists(t, filepath.Join(dir, "README.md"))
		})
	}
	dir := readmeDir(t, "advised")
	_, errOut, code := overTable(t, "advised", "Readme", dir, "-update")
	require.Zero(t, code, errOut)
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "| advised | v1.2.3, with GO-1, GO-2 |")
}

// TestHostileIsKept has -update write what came of the inputs.
func TestHostileIsKept(t *testing.T) {
	if why := hostile.Unsupported(); why != "" {
		t.Skip(why)
	}
	dir := t.TempDir()
	out, errOut, code := overTable(t, "measured,declared", "Hostile", dir, "-update -mutations=8")
	require.Zero(t, code, out+errOut)
	text, err := os.ReadFile(filepath.Join(dir, "hostile.json"))
	require.NoError(t, err)
	var kept map[string]hostileResult
	require.NoError(t, json.Unmarshal(text, &kept))
	require.Len(t, kept, 2)
	assert.Equal(t, "v1.2.3", kept["measured"].Version)
	assert.Equal(t, "", kept["declared"].Version)
	day, err := time.Parse(time.DateOnly, kept["measured"].Date)
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), day, 48*time.Hour)
	assert.Equal(t, 8, kept["measured"].Inputs())
	assert.Equal(t, 8, kept["measured"].Errors+kept["measured"].OK)
	assert.NotZero(t, kept["declared"].Panics)
	assert.True(t, strings.HasSuffix(string(text), "}\n"))
}
