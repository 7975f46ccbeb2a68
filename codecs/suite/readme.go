package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/figures"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/markdown"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/regular"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ReadmeFiles are what a README is made of.
type ReadmeFiles struct {
	Template string // text/template, with the fields of readme
	Hostile  string // written by Hostile
	Figures  string // lines of BenchmarkCodec behind a line with the date
	Parallel string // those of BenchmarkParallel with -cpu=1 and more
	Share    string // those of the frameworks' BenchmarkMessage, and then of BenchmarkCodec
	Readme   string // what it makes
	// Unmeasured are the serializers, as in "name" or "name-mode", that came after the
	// figures. All others must have figures.
	Unmeasured []string
}

// mostKept is more than a README, or the results that are kept for it, in bytes.
const mostKept = 64 << 20

// Readme fails if a README is not what its template, the entries and the kept results
// make, or if results are of other versions of the modules than go.mod has. With -update
// it writes the README.
func Readme(t *testing.T, files ReadmeFiles) {
	env.mustBeReady(t)
	aboutOurs(t)
	text, err := env.render(files)
	require.NoError(t, err)
	if env.update {
		require.NoError(t, os.WriteFile(files.Readme, text, 0o644))
		return
	}
	was, err := regular.ReadFile(files.Readme, mostKept)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(was), "stale; -update writes it again")
}

// readme is what the template gets: tables in Markdown.
type readme struct {
	Entries    int
	Properties string
	Hostile    string
	Mutations  int
	Speed      map[string]string // by message
	Rounds     int               // of the figures
	Anew       string            // the serializers that reuse nothing but the message itself
	Unmeasured string            // the serializers that came after the figures
	Config     map[string]string // of the figures
	Parallel   kept
	Share      kept
}

// kept is a table of kept results, and the configuration in which they were measured.
type kept struct {
	Table  string
	Config map[string]string
}

func (e *environment) render(files ReadmeFiles) ([]byte, error) {
	r := readme{Entries: len(e.entries), Speed: map[string]string{}}
	var err error
	if r.Properties, err = e.propertiesTable(); err != nil {
		return nil, err
	}
	if r.Hostile, r.Mutations, err = e.hostileTable(files.Hostile); err != nil {
		return nil, err
	}
	codecs := e.codecs()
	f, err := figures.ReadOf(files.Figures, codecs)
	if err != nil {
		return nil, err
	}
	if err := f.Complete(codecs, files.Unmeasured); err != nil {
		return nil, fmt.Errorf("%s: %w", files.Figures, err)
	}
	r.Config, r.Rounds, r.Anew = f.Config, f.Rounds("cpu-ns/op"), strings.Join(f.Anew(codecs), ", ")
	r.Unmeasured = strings.Join(f.Unmeasured(codecs), ", ")
	for _, kind := range messages.Measured {
		r.Speed[kind.Name] = f.SpeedTable(codecs, kind.Name)
	}
	parallel, err := figures.ReadOf(files.Parallel, codecs)
	if err != nil {
		return nil, err
	}
	share, err := figures.ReadOf(files.Share, codecs)
	if err != nil {
		return nil, err
	}
	r.Parallel = kept{parallel.ParallelTable(codecs, parallelOps), parallel.Config}
	r.Share = kept{share.ShareTable(), share.Config}
	return execute(files.Template, r)
}

// codecs are the entries as result lines have them.
func (e *environment) codecs() (list []figures.Codec) {
	for _, entry := range e.entries {
		list = append(list, figures.Codec{
			ID: entry.ID(), Name: entry.Codec, Keys: entry.optional("warm"), Version: e.versionOf(entry), Decodes: !entry.encodes(),
		})
	}
	return list
}

func execute(file string, r readme) ([]byte, error) {
	text, err := regular.ReadFile(file, mostKept)
	if err != nil {
		return nil, err
	}
	t, err := template.New(filepath.Base(file)).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, r)
	return out.Bytes(), err
}

func (e *environment) propertiesTable() (string, error) {
	rows := [][]string{{"serializer", "version", "format", "code by", "decoded memory", "bad UTF-8 out, in", "presence", "same bytes", "older reader", "parallel use"}}
	for _, entry := range e.entries {
		p, err := entry.properties()
		if err != nil {
			return "", err
		}
		version, err := e.advised(entry)
		if err != nil {
			return "", err
		}
		rows = append(rows, []string{
			entry.ID(), version, entry.About, entry.Code, p.Alias, p.TextOut + ", " + p.TextIn, p.Presence, p.Deterministic, p.Evolution,
			parallel(entry),
		})
	}
	return markdown.Table(rows), nil
}

// advised is the version of an entry's module and what is known against it.
func (e *environment) advised(entry Entry) (string, error) {
	version, known := e.versionOf(entry), entry.Advisories
	switch {
	case version == "":
		return "-", nil
	case known == Advisories{}:
		return version, nil
	case known.Version != version:
		return "", fmt.Errorf("%s: %s are known of %s; look whether they are of %s too, and change its entry's Advisories", entry.ID(), known.IDs, known.Version, version)
	}
	return version + ", with " + known.IDs, nil
}

func parallel(e Entry) string {
	if e.Races != "" {
		return "races: " + e.Races
	}
	return "safe"
}

func (e *environment) hostileTable(file string) (table string, mutations int, err error) {
	results := map[string]hostileResult{}
	text, err := regular.ReadFile(file, mostKept)
	if err != nil {
		return "", 0, err
	}
	if err := json.Unmarshal(text, &results); err != nil {
		return "", 0, err
	}
	rows := [][]string{{"serializer", "ok", "error", "panic", "other memory", "greedy", "killed", "most memory", "the worst", "tested"}}
	for _, entry := range e.entries {
		v, found := results[entry.ID()]
		if !found || v.Version != e.versionOf(entry) {
			return "", 0, fmt.Errorf("%s: not about %s %s: test it again, with -update", file, entry.ID(), e.versionOf(entry))
		}
		mutations = max(mutations, v.Inputs())
		rows = append(rows, []string{
			entry.ID(), fmt.Sprint(v.OK), fmt.Sprint(v.Errors), fmt.Sprint(v.Panics), fmt.Sprint(v.Reached), fmt.Sprint(v.Greedy), fmt.Sprint(v.Killed),
			hostile.Megabytes(v.Largest), markdown.Code(v.Worst), v.Date,
		})
	}
	return markdown.Table(rows), mutations, nil
}
