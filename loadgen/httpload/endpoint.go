package httpload

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// maxEndpoints bounds the endpoints that have results of their own. Each takes 1.5 MB. With the
// others they are as many as the report of a result has rows.
const maxEndpoints = 49

// others is the name of the endpoints for which there is no room.
const others = "others"

// endpoint is what of a request names what the server does with it.
type endpoint struct{ method, host, path string }

// endpointOf leaves out of a URL what differs between requests of one kind: the query, and
// segments of the path that are identifiers.
func endpointOf(method string, u *url.URL) endpoint {
	segments := strings.Split(cmp.Or(u.EscapedPath(), "/"), "/")
	for i, s := range segments {
		if isIdentifier(s) {
			segments[i] = "*"
		}
	}
	return endpoint{cmp.Or(method, "GET"), u.Host, strings.Join(segments, "/")}
}

// isIdentifier reports whether a segment is a number, or eight and more hexadecimal digits
// and hyphens with a number among them, as a UUID is.
func isIdentifier(segment string) bool {
	if segment == "" {
		return false
	}
	digits := strings.Trim(segment, "0123456789") == ""
	hex := len(segment) >= 8 && strings.Trim(strings.ToLower(segment), "0123456789abcdef-") == "" && strings.ContainsAny(segment, "0123456789")
	return digits || hex
}

// endpoints gives each endpoint a number.
type endpoints struct {
	numbers map[endpoint]uint8
	list    []endpoint
	hosts   map[string]bool
	full    bool // there are others
}

// numberOf returns the number of an endpoint, which is a new one, known, or of the others.
func (e *endpoints) numberOf(one endpoint) uint8 {
	if n, ok := e.numbers[one]; ok {
		return n
	}
	if len(e.list) == maxEndpoints {
		e.full = true
		return maxEndpoints
	}
	if e.numbers == nil {
		e.numbers, e.hosts = map[endpoint]uint8{}, map[string]bool{}
	}
	n := uint8(len(e.list))
	e.numbers[one], e.list, e.hosts[one.host] = n, append(e.list, one), true
	return n
}

// names are as in "GET /users/*". They have the host where there are several.
func (e *endpoints) names() (names []string) {
	for _, one := range e.list {
		path := one.path
		if len(e.hosts) > 1 {
			path = one.host + path
		}
		names = append(names, shortened(one.method+" "+path))
	}
	if e.full {
		names = append(names, others)
	}
	return apart(names)
}

// longestName is less than that of a part of loadgen, in bytes, by what apart adds.
const longestName = 250

// shortened cuts a name that is too long for a part.
func shortened(name string) string {
	name = strings.ToValidUTF8(name, "_")
	if len(name) <= longestName {
		return name
	}
	return strings.ToValidUTF8(name[:longestName-3], "") + "…"
}

// apart gives names that were shortened to the same a number.
func apart(names []string) []string {
	times := map[string]int{}
	for i, name := range names {
		if times[name]++; times[name] > 1 {
			names[i] = fmt.Sprintf("%s~%d", name, times[name])
		}
	}
	return names
}
