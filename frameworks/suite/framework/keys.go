package framework

// Keys name a variant: they are those of its benchmark lines. Two variants of a framework
// differ in one of them.
type Keys struct {
	Framework string // framework=, as in "grpc"
	Transport string // transport=, as in "h2" or "mux"
	Codec     string // codec=, as in "protobuf"
	// Profile is the optional profile=: "" for the options with which the
	// framework's documentation begins, "tuned" for those that its authors recommend
	// for speed, or the name of another option, as in "nogzip".
	Profile string
	// Pool is the optional pool=: "workers" if the server passes requests to a
	// pool of goroutines, "" for the framework's default.
	Pool string
	// With is the optional with=: the layers around the variant, as in "tls13_gzip", or ""
	// for none. Layers of Variant makes such variants, so that a table has none.
	With string
	// Metadata is the optional metadata=: what calls carry beside their messages, as in
	// "20" entries, or "" for nothing. Layers of Variant makes such variants.
	Metadata string
	// Chain is the optional chain=: how many interceptors that do nothing calls pass on each
	// side, as in "5", or "" for none. Layers of Variant makes such variants.
	Chain string
	// Window is the optional window=: the size to which the receive windows are
	// set, as in "16MiB", or "" for the framework's default. A variant with a
	// Window is measured only by Stream and Bulk, because small messages do not
	// fill a window.
	Window string
}

// ID joins the keys, the optional ones last:
// framework=…/transport=…/codec=…/profile=…
func (k Keys) ID() string { return k.RequiredKeys() + k.OptionalKeys() }

// RequiredKeys are those that every variant has.
func (k Keys) RequiredKeys() string {
	return "framework=" + k.Framework + "/transport=" + k.Transport + "/codec=" + k.Codec
}

// OptionalKeys are the others that a variant has, each after a slash. On a line
// they come last.
func (k Keys) OptionalKeys() (keys string) {
	if k.Profile != "" {
		keys += "/profile=" + k.Profile
	}
	if k.Pool != "" {
		keys += "/pool=" + k.Pool
	}
	if k.With != "" {
		keys += "/with=" + k.With
	}
	if k.Metadata != "" {
		keys += "/metadata=" + k.Metadata
	}
	if k.Chain != "" {
		keys += "/chain=" + k.Chain
	}
	if k.Window != "" {
		keys += "/window=" + k.Window
	}
	return keys
}
