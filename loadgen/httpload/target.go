package httpload

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// Target is a request.
type Target struct {
	Method string // GET if it is empty
	URL    string // with its scheme, http or https, and its host
	Header http.Header
	Body   []byte // none if it is empty
}

var method = regexp.MustCompile(`^[A-Za-z!#$%&'*+.^_|~0-9-]+$`)

// check returns the parsed URL, or what is wrong with the target in one sentence.
func (t *Target) check() (*url.URL, error) {
	if t.Method != "" && !method.MatchString(t.Method) {
		return nil, fmt.Errorf("%q is not a method", t.Method)
	}
	u, err := t.parse()
	if err != nil {
		return nil, err
	}
	return u, checkHeader(t.Header)
}

// parse refuses what a transport would refuse in each call, and what would be sent otherwise
// than it is written.
func (t *Target) parse() (*url.URL, error) {
	u, err := url.Parse(t.URL)
	switch {
	case strings.Contains(t.URL, " "):
		return nil, fmt.Errorf("the URL %q has a space: it must be written as %%20", t.URL)
	case err != nil && strings.Contains(t.URL, "//"):
		return nil, fmt.Errorf("%q is not a URL: %w", t.URL, parseCause(err))
	case err != nil || u.Scheme == "" || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" && u.Host == "":
		return nil, fmt.Errorf("the URL %q has no scheme: it must be as in http://%s", t.URL, strings.TrimPrefix(t.URL, "//"))
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the URL %q has the scheme %s: only http and https are called", t.URL, u.Scheme)
	}
	return u, checkHost(u)
}

func checkHost(u *url.URL) error {
	if u.Hostname() == "" {
		return fmt.Errorf("the URL %q has no host", u)
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return fmt.Errorf("the host %q must be written in ASCII, as in xn--bcher-kva.example for bücher.example", u.Hostname())
	}
	if _, err := strconv.ParseUint(u.Port(), 10, 16); err != nil && u.Port() != "" {
		return fmt.Errorf("the port %s is too high: at most 65535", u.Port())
	}
	return nil
}

func parseCause(err error) error {
	if failed, is := errors.AsType[*url.Error](err); is {
		return failed.Err
	}
	return err
}

// checkHeader refuses what a transport would refuse in each call.
func checkHeader(h http.Header) error {
	for name, values := range h {
		if !method.MatchString(name) { // both are tokens
			return fmt.Errorf("%q is not the name of a header", name)
		}
		for _, v := range values {
			if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return fmt.Errorf("the header %s has a value with control characters: %s", name, foreign.Line(v))
			}
		}
	}
	return nil
}

// request makes the request of the target, whose body is still to be set: withBody does.
// What the standard library's client adds to a request is added here, once.
func (t *Target) request(u *url.URL, more http.Header) *http.Request {
	r := &http.Request{
		Method: t.Method, URL: u, Host: u.Host, Header: http.Header{},
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: int64(len(t.Body)),
	}
	for _, h := range []http.Header{more, t.Header} {
		for name, values := range h {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if hosts := r.Header["Host"]; len(hosts) > 0 {
		r.Host = hosts[0]
		delete(r.Header, "Host")
	}
	if u.User != nil && r.Header.Get("Authorization") == "" {
		password, _ := u.User.Password()
		r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	return r
}

// withBody gives a request the body. GetBody is for a transport that sends it again over
// HTTP/2, when a server has said that it did not see it.
func withBody(r *http.Request, body []byte) *http.Request {
	if len(body) == 0 {
		return r
	}
	reader := func() io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
	r.Body, r.GetBody = reader(), func() (io.ReadCloser, error) { return reader(), nil }
	return r
}
