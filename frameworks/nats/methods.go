package nats

const (
	// maxPayload is the largest that NATS's documentation allows, instead of 1 MiB.
	maxPayload = 64 << 20
	// MaxMessage is the largest echo payload in bytes. It leaves room for what protobuf adds.
	MaxMessage = maxPayload - 4<<10
	// maxPending is how many bytes the broker keeps for a connection before it closes it,
	// instead of 64 MiB, which is one message.
	maxPending = 1 << 30
)

// Names of the service and its methods, which are parts of subjects.
const (
	service       = "rpcbench.Bencher"
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)
