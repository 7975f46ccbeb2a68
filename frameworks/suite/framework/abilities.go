package framework

// Abilities say which calls a variant's client can make, and so which interfaces it
// implements. The zero Abilities are those of a MessageClient.
type Abilities struct {
	// Kind says which messages the variant carries.
	Kind Kind
	// Async says that the client is an AsyncClient.
	Async bool
	// Streams says that the client is a StreamClient.
	Streams bool
}

// Kind says which messages a variant carries. It decides which checks it must pass.
type Kind int

const (
	// Fields are messages with fields, methods and handler errors. The client
	// is a MessageClient.
	Fields Kind = iota
	// Bytes are sent without the serializer, with methods and handler errors:
	// codec=raw. The client is a MethodClient.
	Bytes
	// Bare are bytes without methods, fields or handlers. The client is a Client.
	Bare
)
