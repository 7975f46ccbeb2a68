package remote

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

// Secret is what the clients of a serving side know of it.
type Secret struct {
	Token       string // "" for none, which only this machine may have
	Fingerprint string // of the key, see Identity; "" where it is not known
}

// ParseSecret reads a token, and the fingerprint if it follows.
func ParseSecret(text string) (s Secret, err error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	words := strings.Fields(lines[len(lines)-1])
	if n := len(words); n > 0 && strings.HasPrefix(words[n-1], fingerprintKind) {
		s.Fingerprint = words[n-1]
		text = strings.TrimSuffix(strings.TrimSpace(text), s.Fingerprint)
	}
	s.Token = strings.TrimSpace(text)
	if s.Fingerprint != "" && !isFingerprint(s.Fingerprint) {
		return s, fmt.Errorf("%q is not a fingerprint: it was cut off or changed", s.Fingerprint)
	}
	if strings.ContainsFunc(s.Token, unicode.IsControl) {
		return s, errors.New("a token is one line of text, without control characters, and the fingerprint may follow it")
	}
	return s, nil
}

// ReadSecret reads the file of a token. Others than its owner and group must not be able to
// read it.
func ReadSecret(path string) (s Secret, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return s, err
	}
	if runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Mode()&0o007 != 0 {
		return s, fmt.Errorf("%s: everybody on this machine can read it: chmod 600 %s, and take a new token if others may have read it", path, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxBody))
	if err != nil {
		return s, err
	}
	if s, err = ParseSecret(string(text)); err == nil && s.Token == "" {
		err = errors.New("there is no token in it")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}

// MakeSecret is ReadSecret, and makes a token if there is no file.
func MakeSecret(path string) (Secret, error) {
	s, err := ReadSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Secret{Token: rand.Text()}, nil
	}
	return s, err
}

// Write writes the file of a token. A reader finds the whole file or none.
func (s Secret) Write(path string) error {
	part, err := os.CreateTemp(filepath.Dir(path), ".token-*") // which only its owner can read
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // fails if it was renamed
	_, err = fmt.Fprintf(part, "%s\n%s\n", s.Token, s.Fingerprint)
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// check returns an error if the secret is too little for clients of addr.
func (s Secret) check(addr string) error {
	switch name, _, _ := net.SplitHostPort(addr); {
	case isLoopback(name):
		return nil
	case len(s.Token) < minToken:
		return fmt.Errorf("%s: the token has %d characters: one of %d or more is needed", addr, len(s.Token), minToken)
	case s.Fingerprint == "":
		return fmt.Errorf("%s: the fingerprint of the key there is missing: copy the file that -token-file names on that side, or put the line that begins with %s behind the token", addr, fingerprintKind)
	}
	return nil
}

func isLoopback(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}
