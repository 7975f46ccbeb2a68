// Package layer tells adapters what production puts around their framework: TLS, compression
// and tracing on both sides, metadata beside the messages, and chains of interceptors.
//
// An adapter lists what its framework has in framework.Layers, whose With gets a Stack of it. The
// Stack also makes the configurations of TLS for both sides.
package layer

// Layer is what production puts around a framework, on both sides.
type Layer string

// The layers. Messages are compressed both ways. TLS13 and MTLS exclude each other, and so do
// the compressions.
const (
	TLS13  Layer = "tls13"  // TLS 1.3, in which the client verifies the server
	MTLS   Layer = "mtls"   // TLS 1.3, in which the server verifies the client as well
	Gzip   Layer = "gzip"   // at the default level of the framework's own compressor
	Zstd   Layer = "zstd"   // at the default level
	Snappy Layer = "snappy" // in the format that the framework uses
	OTel   Layer = "otel"   // OpenTelemetry's SDK: every call is traced, and spans are discarded
)

// All lists the layers, in the order in which with= has them.
func All() []Layer { return []Layer{TLS13, MTLS, Gzip, Zstd, Snappy, OTel} }

// Interceptors say how a framework has interceptors around calls, on both sides: its own, which
// in a Stack with a Chain do nothing but call the next one, so that their figures are what
// governance costs before it does anything. The zero Interceptors are of a framework that has
// none.
type Interceptors struct {
	// By names the framework's API, in a clause of a few words; "" for none.
	By string
	// Instead says what a framework without By has that does not do, as on one side alone;
	// "" for nothing.
	Instead string
	// Apart says why a call does not run inside the framework's interceptors, in a clause, so
	// that its stack does not show them; "" if it does.
	Apart string
}
