package dubbo

// MaxMessage is the largest echo payload in bytes over Triple. Triple's own limit of 4
// MB on servers is lifted.
const MaxMessage = 64 << 20

// maxPackage leaves room for what surrounds a payload.
const maxPackage = MaxMessage + 64<<10

// maxDubbo is the largest echo payload in bytes over the Dubbo protocol, below
// dubbo-go's own limit of 1,024,000 bytes. A higher limit would not help: with each
// piece of a message that arrives, dubbo-go copies the message from its beginning, so
// that 4 MiB take seconds.
const maxDubbo = 1_000_000

// service is the service's name on both sides, and the Java peers' interface.
const service = "rpcbench.Bencher"

// Names of the methods.
const (
	methodEcho    = "echo"
	methodMessage = "message"
	methodStream  = "stream"
	methodUnknown = "unknown"
)
