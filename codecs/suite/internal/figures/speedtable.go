package figures

import (
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/markdown"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// SpeedTable lists the figures of a message, the fastest round trip first.
func (f Figures) SpeedTable(codecs []Codec, msg string) string {
	var rows []speed
	for _, c := range codecs {
		if f.has(c) {
			rows = append(rows, f.speed(c, msg))
		}
	}
	slices.SortStableFunc(rows, speed.compare)
	table := [][]string{{
		"place", "serializer", "marshal", "marshal_fresh", "unmarshal", "unmarshal_reuse", "touch",
		"allocations", "bytes allocated", "encoded-B", "gz-B", "zstd-B",
	}}
	for i, p := range placesOf(rows) {
		table = append(table, append([]string{p}, rows[i].cells()...))
	}
	return markdown.Table(table)
}

func (s speed) cells() []string {
	cells := []string{s.codec.ID}
	for _, op := range bed.Operations {
		figure, found := s.ops[op]
		cells = append(cells, markdown.OrDash(figure.String(), found))
	}
	for _, unit := range []string{"allocs/op", "B/op"} {
		fresh, decode, reuse := s.median(bed.MarshalFresh, unit), s.median(s.decode, unit), s.median(bed.UnmarshalReuse, unit)
		cells = append(cells, fmt.Sprintf("%s + %s (%s)", markdown.OrDash(markdown.Whole(fresh), !s.decodes()), markdown.Whole(decode), markdown.Whole(reuse)))
	}
	for _, unit := range []string{"encoded-B", "gz-B", "zstd-B"} {
		cells = append(cells, markdown.Whole(s.median(s.decode, unit)))
	}
	return cells
}

// Anew lists the IDs of codecs that use nothing again in unmarshal_reuse but the
// message itself, one allocation, where a message has lists. Pools that a collection
// has emptied may be one in two hundred.
func (f Figures) Anew(codecs []Codec) (list []string) {
	for _, c := range codecs {
		s := f.speed(c, messages.KindLarge.Name)
		if f.has(c) && s.median(bed.UnmarshalReuse, "allocs/op") >= 0.995*s.median(bed.Unmarshal, "allocs/op")-1 && s.decode == bed.Unmarshal {
			list = append(list, c.ID)
		}
	}
	return list
}
