package framework

// Windows are the receive windows that a variant can be given. A receive window is how
// many bytes the other side may send before this side has taken them.
type Windows struct {
	// Default says which windows the variant has as it is, in a clause of a few words.
	Default string
	// Least is the smallest window in bytes that the framework takes.
	Least int
	// OfStreams says that streams have the window and calls have none.
	OfStreams bool
	// Check returns why this machine cannot have windows of this size in bytes; nil: it
	// can. A nil Check stands for a framework whose windows are its own affair.
	Check func(bytes int) error
	// With makes the variant of which both sides have receive windows of this size in
	// bytes. The window is that of a stream, or of a connection if streams have none. Its
	// connection's window is large enough for four streams where there are both.
	With func(bytes int) Variant
}
