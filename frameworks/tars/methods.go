package tars

// MaxMessage is the largest echo payload in bytes: TarsGo's own limit, 10 MiB
// for a package, is lifted on both sides.
const MaxMessage = 64 << 20

// maxPackage leaves room for what surrounds a payload.
const maxPackage = MaxMessage + 64<<10

// servant is the object that both sides name.
const servant = "Rpcbench.Bencher.BencherObj"

// Names of the methods.
const (
	methodEcho    = "echo"
	methodMessage = "message"
	methodUnknown = "unknown"
)
