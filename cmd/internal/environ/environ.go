// Package environ chooses what a child process knows of the environment. What a git hook
// was told is about the commit of its user, a go.work is about one directory, and a proxy
// is taken by one framework and not by another, as are settings of one framework: none of
// them is for a child.
package environ

import (
	"fmt"
	"slices"
	"strings"
)

// Tools is the environment of git, go, and what builds with them, from env as os.Environ
// has it. It keeps proxies, by which modules are had, and how git asks for passwords.
// Go builds without a go.work, and git writes nothing that it need not write.
func Tools(env []string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool { return ofRepository(name(entry)) })
	return append(kept, "GOWORK=off", "GIT_OPTIONAL_LOCKS=0")
}

// Measured is the environment of a program that is measured, from env as os.Environ has
// it: that of Tools without proxies and without the settings of one framework. GOGC,
// GOMEMLIMIT and GODEBUG are in it.
func Measured(env []string) []string {
	return slices.DeleteFunc(Tools(env), func(entry string) bool { return ofOne(name(entry)) })
}

// LeftOut lists the names of what matters in env and that Measured leaves out, in
// alphabetic order. Values are not told: a proxy's may have a password in it.
func LeftOut(env []string) (names []string) {
	for _, entry := range env {
		n, value, _ := strings.Cut(entry, "=")
		workspace := strings.EqualFold(n, "GOWORK") && value != "" && value != "off"
		if ofRepository(n) && !begins(n, ofPerson[:]) || ofOne(n) || workspace {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Note is a line with # that says what Measured leaves out of env; "" if that is nothing.
func Note(env []string) string {
	names := LeftOut(env)
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("# environment: left out %s\n", strings.Join(names, ", "))
}

func name(entry string) string {
	n, _, _ := strings.Cut(entry, "=")
	return n
}

// ofGit begin the names of what is git's and of no repository: how to reach others, whom
// to trust, and where its own files are. GIT_CONFIG_COUNT is such a setting in a job of
// CI, as of safe.directory. GIT_CONFIG_PARAMETERS is what git -c was told for one command.
var ofGit = [...]string{
	"GIT_ALLOW_PROTOCOL", "GIT_ASKPASS", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL",
	"GIT_CONFIG_KEY_", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_VALUE_", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_EXEC_PATH", "GIT_HTTP_", "GIT_LFS_", "GIT_OPTIONAL_LOCKS", "GIT_PROTOCOL", "GIT_PROXY_", "GIT_SSH", "GIT_SSL_", "GIT_TERMINAL_PROMPT", "GIT_TRACE",
}

// ofPerson begin the names of what tells git of who commits, and with which programs. It
// is left out, since nothing is committed, and not told, since it changes nothing.
var ofPerson = [...]string{"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_EDITOR", "GIT_PAGER", "GIT_PS1_", "GIT_SEQUENCE_EDITOR"}

// ofRepository reports whether a variable tells git of one repository, index or commit,
// as those that a hook gets.
func ofRepository(name string) bool {
	return begins(name, []string{"GIT_"}) && !begins(name, ofGit[:])
}

// begins reports whether a name begins with one of the prefixes, in any letters.
func begins(name string, prefixes []string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// ofOne reports whether a variable changes one framework alone.
func ofOne(name string) bool { return isProxy(name) || changesOne(name) }

// isProxy reports whether a variable names a proxy, or what goes by none, as HTTPS_PROXY
// and no_proxy do. GOPROXY is none of them.
func isProxy(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasSuffix(name, "_PROXY") && !strings.HasPrefix(name, "GIT_")
}
