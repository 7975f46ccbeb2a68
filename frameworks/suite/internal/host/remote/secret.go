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
	"slices"
	"strings"
	"unicode"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/regular"
)

// Secret is what the clients of a serving side know of it.
type Secret struct {
	Token       string // "" for none, which only this machine may have
	Fingerprint string // of the key, see Identity; "" where it is not known
	// Key belongs to the serving side, which alone has it; "" for a new one at each start.
	Key string
}

// NewSecret makes a token and a key.
func NewSecret() (s Secret, err error) {
	i, err := NewIdentity()
	if err != nil {
		return s, err
	}
	s = Secret{Token: rand.Text(), Fingerprint: i.Fingerprint}
	s.Key, err = i.key()
	return s, err
}

// Public is what clients know of it.
func (s Secret) Public() Secret { return Secret{Token: s.Token, Fingerprint: s.Fingerprint} }

// Identity is the key, or a new one if there is none.
func (s Secret) Identity() (*Identity, error) {
	if s.Key == "" {
		return NewIdentity()
	}
	i, err := readIdentity(s.Key)
	if err == nil && i.Fingerprint != s.Fingerprint {
		err = errors.New("the key beside the token is not that of the fingerprint: they are of two secrets")
	}
	return i, err
}

// ParseSecret reads a token, the fingerprint if it follows, and the key if that follows. Space in
// a token is a part of it. The errors do not contain words, since each of them may be a part of the
// token.
func ParseSecret(text string) (s Secret, err error) {
	s.Token = strings.TrimSpace(text)
	words := strings.Fields(s.Token)
	if n := len(words); n > 0 && strings.HasPrefix(words[n-1], keyKind) {
		s.Key = words[n-1]
		s.Token, words = strings.TrimSpace(strings.TrimSuffix(s.Token, s.Key)), words[:n-1]
	}
	at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, fingerprintKind) })
	if at >= 0 {
		s.Fingerprint = words[at]
		s.Token = strings.TrimSpace(strings.TrimSuffix(s.Token, s.Fingerprint))
	}
	switch {
	case s.Key != "" && at < 0:
		err = fmt.Errorf("the fingerprint, a word that begins with %s, must stand before the key", fingerprintKind)
	case at >= 0 && at < len(words)-1:
		err = fmt.Errorf("nothing but a key may follow the fingerprint, the word that begins with %s", fingerprintKind)
	case at >= 0 && !isFingerprint(s.Fingerprint):
		err = fmt.Errorf("the word that begins with %s is not a fingerprint: it was cut off or changed", fingerprintKind)
	case strings.ContainsFunc(s.Token, unicode.IsControl):
		err = errors.New("a token is one line of text, without control characters, and the fingerprint may follow it")
	}
	return s, err
}

// ReadSecret reads the file of a token. Others than its owner and group must not be able to
// read it.
func ReadSecret(path string) (s Secret, err error) {
	f, err := openSecret(path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	if err := private(f); err != nil {
		return s, err
	}
	text, err := io.ReadAll(limit.Reader(f, mostSecret))
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	s, err = ParseSecret(string(text))
	switch {
	case err != nil:
	case s.Token == "":
		err = errors.New("there is no token in it")
	case len(s.Token) < minToken:
		err = errShort(s.Token)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}

// mostSecret is the size of the largest file of a token that is read.
const mostSecret = 1 << 20

// openSecret opens a regular file, or a pipe that this process has open already, as
// /dev/stdin may be. The path of such a pipe leads to no name; one with a name would be
// waited for without an end.
func openSecret(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		if _, err := filepath.EvalSymlinks(path); errors.Is(err, fs.ErrNotExist) {
			return os.Open(path)
		}
	}
	return regular.Open(path, mostSecret)
}

// private returns an error if everybody can read a file. On Windows its mode does not tell.
func private(f *os.File) error {
	info, err := f.Stat()
	if err != nil || runtime.GOOS == "windows" || !info.Mode().IsRegular() || info.Mode()&0o007 == 0 {
		return err
	}
	return fmt.Errorf("%s: everybody on this machine can read it: chmod 600 %s, and take a new token if others may have read it", f.Name(), f.Name())
}

func errShort(token string) error {
	return fmt.Errorf("the token has %d characters: one of %d or more is needed", len(token), minToken)
}

// MakeSecret is ReadSecret, and makes a token if there is no file. Write writes it.
func MakeSecret(path string) (Secret, error) {
	s, err := ReadSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Secret{Token: rand.Text()}, nil
	}
	return s, err
}

// Write writes the file of a token. A reader finds the whole file or the one before.
func (s Secret) Write(path string) error {
	path, err := behindLinks(path)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".token-*") // which only its owner can read
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // fails if it was renamed
	_, err = io.WriteString(part, s.lines())
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

func (s Secret) lines() string {
	lines := s.Token + "\n" + s.Fingerprint + "\n"
	if s.Key != "" {
		lines += s.Key + "\n"
	}
	return lines
}

// behindLinks returns the file that a path leads to, so that it is replaced and not a link to
// it, nor a pipe or /dev/stdin. The file need not exist.
func behindLinks(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", file)
	}
	return file, err
}

// check returns an error if the secret is too little for clients of addr.
func (s Secret) check(addr string) error {
	switch name, _, _ := net.SplitHostPort(addr); {
	case isLoopback(name):
		return nil
	case len(s.Token) < minToken:
		return fmt.Errorf("%s: %w", addr, errShort(s.Token))
	case s.Fingerprint == "":
		return fmt.Errorf("%s: the fingerprint of the key there is missing: copy the file that -token-file names on that side, or put the line that begins with %s behind the token", addr, fingerprintKind)
	}
	return nil
}

func isLoopback(name string) bool {
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && ip.IsLoopback()
}
