package figures

import "fmt"

// Codec is a serializer in one configuration, as the names of result lines have it.
type Codec struct {
	ID      string // of its rows
	Name    string // codec=
	Keys    string // that stand last, as in "/mode=lazy"
	Version string // of its module; "" for none
	Decodes bool   // whether it only decodes
}

// ReadOf reads the figures of a file. Those of codecs must be of their versions.
func ReadOf(file string, codecs []Codec) (Figures, error) {
	f, err := read(file)
	if err != nil {
		return f, err
	}
	measured := f.codecs()
	for _, c := range codecs {
		if c.Version != "" && measured[c.Name] && f.Config[c.Name] != c.Version {
			return f, fmt.Errorf("%s: about %s %q, not %s: measure again", file, c.Name, f.Config[c.Name], c.Version)
		}
	}
	return f, nil
}
