package figures

import (
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// has reports whether there are figures of a codec.
func (f Figures) has(c Codec) bool {
	return slices.ContainsFunc(messages.Measured, func(k messages.Kind) bool { return len(f.speed(c, k.Name).ops) > 0 })
}

// Unmeasured lists the IDs of codecs that have no figures. Tables of speed leave them out.
func (f Figures) Unmeasured(codecs []Codec) (list []string) {
	for _, c := range codecs {
		if !f.has(c) {
			list = append(list, c.ID)
		}
	}
	return list
}

// Complete is nil if every codec has figures of every message, and those named as
// unmeasured have none.
func (f Figures) Complete(codecs []Codec, unmeasured []string) error {
	for _, c := range codecs {
		if slices.Contains(unmeasured, c.ID) {
			if f.has(c) {
				return fmt.Errorf("%s has figures: take it from ReadmeFiles.Unmeasured", c.ID)
			}
			continue
		}
		for _, kind := range messages.Measured {
			s := f.speed(c, kind.Name)
			if s.ops[s.decode] == (spread{}) || !c.Decodes && s.trip == (spread{}) {
				return fmt.Errorf("no CPU time of %s, %s: measure all messages again", c.ID, kind.Name)
			}
		}
	}
	return nil
}
