package part

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const enough = 20 * time.Second

func TestMain(m *testing.M) {
	switch Playing() {
	case "":
		os.Exit(m.Run())
	case "echo":
		for line := range Heard() {
			fmt.Print("half a line")
			Say(line + " " + line)
		}
	case "environment":
		Say(os.Getenv("NO_PROXY") + os.Getenv("GIT_DIR") + os.Getenv("MYAPP_CONFIG"))
	case "long":
		fmt.Print(strings.Repeat("x", 3*longest))
		Say("after a long line")
		fmt.Fprintln(os.Stderr, "the end")
	case "deaf":
		Say("ready")
		time.Sleep(time.Hour)
	case "idle":
		for range Heard() {
		}
	}
}

func start(t *testing.T, playing string) *Process {
	p, err := Start(playing)
	require.NoError(t, err)
	t.Cleanup(p.Stop)
	return p
}

func TestTalk(t *testing.T) {
	t.Parallel()
	before := time.Now()
	p := start(t, "echo")
	last := p.Began()
	assert.False(t, last.Before(before))
	for _, word := range []string{"a", "b c", ""} {
		require.NoError(t, p.Tell(word))
		line, at, err := p.Next(enough)
		require.NoError(t, err)
		assert.Equal(t, word+" "+word, line)
		assert.True(t, at.After(last), "times grow")
		last = at
	}
}

func TestProcessesHaveAChosenEnvironment(t *testing.T) {
	for _, name := range []string{"NO_PROXY", "GIT_DIR", "MYAPP_CONFIG"} {
		t.Setenv(name, name)
	}
	line, _, err := start(t, "environment").Next(enough)
	require.NoError(t, err)
	assert.Equal(t, "MYAPP_CONFIG", line)
}

func TestWhatAProcessPrintsIsNotWhatItSays(t *testing.T) {
	t.Parallel()
	p := start(t, "long")
	line, _, err := p.Next(enough)
	require.NoError(t, err)
	assert.Equal(t, "after a long line", line)
	_, _, err = p.Next(enough)
	assert.ErrorContains(t, err, "the process ended: exit status 0; its last output: ")
	assert.ErrorContains(t, err, "xxx")
}

func TestSilence(t *testing.T) {
	t.Parallel()
	p := start(t, "idle")
	_, _, err := p.Next(10 * time.Millisecond)
	assert.EqualError(t, err, "nothing for 10ms; it printed nothing")
	p.Stop()
	assert.True(t, p.cmd.ProcessState.Success(), "it ended by itself")
	p.Stop()
	assert.Error(t, p.Tell("more"))
}

func TestADeafProcessIsKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes 5 s")
	}
	p := start(t, "deaf")
	_, _, err := p.Next(enough)
	require.NoError(t, err)
	p.Stop()
	assert.False(t, p.cmd.ProcessState.Success())
}
