package tool

// Recipes returns how each tool is installed, at the version that the table is of. Programs of
// Debian have the version that the machine has, which Install returns.
func Recipes() []Recipe {
	return []Recipe{
		{Tool: "vegeta", Registry: Go, Package: "github.com/tsenart/vegeta/v12", Version: "v12.13.0", modes: vegeta},
		{Tool: "ghz", Registry: Go, Package: "github.com/bojand/ghz/cmd/ghz", Version: "v0.121.0", modes: ghz},
		{Tool: "fortio", Registry: Go, Package: "fortio.org/fortio", Version: "v1.67.1", modes: fortio},
		{Tool: "hey", Registry: Go, Package: "github.com/rakyll/hey", Version: "v0.1.5", modes: hey},
		{Tool: "bombardier", Registry: Go, Package: "github.com/codesenberg/bombardier", Version: "v1.2.6", modes: bombardier},
		{Tool: "k6", Registry: Go, Package: "go.k6.io/k6", Version: "v1.4.0", modes: k6},
		{Tool: "oha", Registry: Cargo, Package: "oha", Version: "1.16.0", modes: oha},
		{Tool: "autocannon", Registry: NPM, Package: "autocannon", Version: "8.0.0", modes: autocannon},
		{Tool: "wrk", Registry: Debian, Package: "wrk", modes: wrk},
		{Tool: "ab", Registry: Debian, Package: "apache2-utils", modes: ab},
		{Tool: "h2load", Registry: Debian, Package: "nghttp2-client", modes: h2load},
	}
}

// Modes returns the modes of all tools, 15 for HTTP and 5 for gRPC, in the order of Recipes.
// dir is where Install put the tools, as an absolute path: the first argument of each Command is a path in it, or
// the name of a program of Debian.
func Modes(dir string) []Mode {
	var modes []Mode
	for _, r := range Recipes() {
		modes = append(modes, r.modes(r.Program(dir))...)
	}
	return modes
}
