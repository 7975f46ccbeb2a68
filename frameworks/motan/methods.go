package motan

// MaxMessage is the largest echo payload in bytes: motan-go's own limit, 10 MiB
// for a message, is lifted on both sides.
const MaxMessage = 64 << 20

// maxContent leaves room for what surrounds a payload.
const maxContent = MaxMessage + 64<<10

// service is the service's name on both sides, and the Java peer's interface.
const service = "rpcbench.Bencher"

// group is motan's group of the servers and clients of the service.
const group = "rpcbench"

// Names of the methods.
const (
	methodEcho    = "echo"
	methodMessage = "message"
	methodUnknown = "unknown"
)
