package command

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
)

// Trust is which servers are trusted.
type Trust struct {
	authorities string // a file of certificates; empty for the system's
	all         bool
}

// Flags adds -ca and -insecure.
func (t *Trust) Flags(fs *flag.FlagSet) {
	fs.StringVar(&t.authorities, "ca", "", "`file` of certificates in PEM whose servers are trusted, instead of the system's")
	fs.BoolVar(&t.all, "insecure", false, "trust every server")
}

// Config reads the certificates.
func (t *Trust) Config() (*tls.Config, error) {
	cfg := &tls.Config{InsecureSkipVerify: t.all}
	if t.authorities == "" {
		return cfg, nil
	}
	text, err := regular.ReadFile(t.authorities, 16<<20)
	if err != nil {
		return nil, fmt.Errorf("-ca: %w", err)
	}
	if cfg.RootCAs = x509.NewCertPool(); !cfg.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("-ca: %s has no certificate in PEM", t.authorities)
	}
	return cfg, nil
}

// Distrust adds what to do to an error that is the one of a server that is not trusted.
func Distrust(err, distrusted error) error {
	if errors.Is(err, distrusted) {
		return fmt.Errorf("%w: name its authority with -ca, or trust every server with -insecure", err)
	}
	return err
}

// Body returns what -body says: a text, or after @ the name of the file that has it.
func Body(given string) ([]byte, error) {
	path, is := strings.CutPrefix(given, "@")
	if !is {
		return []byte(given), nil
	}
	text, err := regular.ReadFile(path, 64<<20)
	if err != nil {
		return nil, fmt.Errorf("-body: %w", err)
	}
	return text, nil
}

// Pair returns the function of a flag whose value is a line as in like: a name, a colon, and
// the value of the name.
func Pair(like string, add func(name, value string)) func(line string) error {
	return func(line string) error {
		name, value, found := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !found || name == "" {
			return errors.New("must be as in " + like)
		}
		add(name, strings.TrimSpace(value))
		return nil
	}
}
