package suite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSetUpRefuses(t *testing.T) {
	assert.EqualError(t, unique([]Entry{{Codec: "a"}, {Codec: "a", Mode: "b"}, {Codec: "a"}}), "Config.Entries: a is there twice")
	assert.NoError(t, unique([]Entry{{Codec: "a"}, {Codec: "a", Mode: "b"}}))
	_, err := versionsOf([]byte("require ("))
	assert.ErrorContains(t, err, "Config.GoMod: ")
	versions, err := versionsOf([]byte(fakeGoMod))
	assert.NoError(t, err)
	assert.Equal(t, map[string]string{"fake.example/good": "v1.2.3"}, versions)
	tb := &fatal{}
	assert.PanicsWithValue(t, "ended", func() { new(environment).mustBeReady(tb) })
	assert.Contains(t, tb.said, "no set-up; add to the package: func TestMain")
	assert.NotPanics(t, func() { (&environment{ready: true}).mustBeReady(tb) })
}

// fatal is a test that keeps what ends it.
type fatal struct {
	testing.TB
	said string
}

func (*fatal) Helper() {}

func (f *fatal) Fatal(args ...any) {
	f.said = fmt.Sprint(args...)
	panic("ended")
}

func TestSplitVersion(t *testing.T) {
	for _, row := range []struct{ about, full, version, experiments string }{
		{"a release", "go1.26.8", "go1.26.8", "none"},
		{"an experiment", "go1.26.8-X:jsonv2", "go1.26.8", "jsonv2"},
		{"two, in the way of older toolchains", "go1.24.1 X:jsonv2,nodwarf5", "go1.24.1", "jsonv2,nodwarf5"},
	} {
		t.Run(row.about, func(t *testing.T) {
			version, experiments := splitVersion(row.full)
			assert.Equal(t, row.version, version)
			assert.Equal(t, row.experiments, experiments)
		})
	}
}
