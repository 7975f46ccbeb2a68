package compress

// Named returns the compressor of a name, as layers have it; nil for another.
func Named(name string) *Codec {
	for _, codec := range []func() *Codec{Gzip, Zstd, Snappy} {
		if codec().name == name {
			return codec()
		}
	}
	return nil
}
