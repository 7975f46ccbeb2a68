// Package avro measures hamba/avro, which its author maintains no more. A fork has fixes
// for what is known against it, github.com/iskorotkov/avro/v2 since v2.33.0: measure that
// one where the module proxy has it. Avro writes no names or numbers of fields, so the
// reader must have the writer's schema.
package avro

import (
	"embed"

	"github.com/hamba/avro/v2"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

//go:embed *.avsc
var files embed.FS

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "avro", About: "Avro; no longer maintained, fixed in the fork iskorotkov/avro 2.33", Code: "reflection, .avsc",
		Module:     "github.com/hamba/avro/v2",
		Advisories: suite.Advisories{IDs: "GO-2026-5046, GO-2026-5047, GO-2026-5048", Version: "v2.31.0"},

		Bench:  suite.Of(codec[messages.Bench]("bench")),
		Flat:   suite.Of(codec[messages.Flat]("flat")),
		Small:  suite.Of(codec[messages.Small]("small")),
		Large:  suite.Of(codec[messages.Large]("large")),
		Next:   suite.Of(codec[messages.Next]("next")),
		Mapped: suite.Of(codec[messages.Mapped]("mapped")),
		Hazard: suite.Kills,
		// fixedUint64Codec is its own scratch buffer, and all goroutines share
		// cached codecs, so values are mixed up.
		Races: "uint64 as fixed",
	}
}

func codec[N any, M messages.Message[N]](name string) func() suite.Serializer[N] {
	schema := parse(name)
	return func() suite.Serializer[N] {
		var w suite.Writer
		encoder := avro.NewEncoderForSchema(schema, &w)
		return suite.Serializer[N]{
			Append: func(dst []byte, m *N) ([]byte, error) {
				w = dst
				err := encoder.Encode(m)
				return w, err
			},
			Marshal:   func(m *N) ([]byte, error) { return avro.Marshal(schema, m) },
			Unmarshal: func(src []byte, m *N) error { return avro.Unmarshal(schema, src, m) },
			Reset:     func(m *N) { M(m).Reset() },
		}
	}
}

// parse parses one of the schemas. Each has a name space of its own.
func parse(name string) avro.Schema {
	text, err := files.ReadFile(name + ".avsc")
	if err != nil {
		panic(err) // impossible: the schemas are embedded
	}
	return avro.MustParse(string(text))
}
