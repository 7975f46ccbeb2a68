package samples

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
)

// place is the beginning of a message: a file and its line, from 1; 0 in one that has no lines.
type place struct {
	file string
	line int
}

func (s Source) fromJSON(data []byte) (proto.Message, error) {
	m := dynamicpb.NewMessage(s.Message)
	return m, protojson.UnmarshalOptions{Resolver: s.Types}.Unmarshal(data, m)
}

func (s Source) fromText(data []byte) (proto.Message, error) {
	m := dynamicpb.NewMessage(s.Message)
	return m, prototext.UnmarshalOptions{Resolver: s.Types}.Unmarshal(data, m)
}

var (
	prefix  = regexp.MustCompile(`^(?:proto|protobuf):[\s\x{a0}]*`)
	within  = regexp.MustCompile(` ?\(line (\d+):(\d+)\):? ?`)
	unknown = regexp.MustCompile(`unknown field:? "?([^"\s]+)"?`)
)

// wrong is an error of reading a message, with where and what to do.
func (s Source) wrong(at place, err error) error {
	said := prefix.ReplaceAllString(err.Error(), "")
	where := at.file
	if inside := within.FindStringSubmatch(said); inside != nil {
		n, _ := strconv.Atoi(inside[1])
		where += fmt.Sprintf(":%d:%s", at.line+n-1, inside[2])
		said = strings.TrimPrefix(within.ReplaceAllString(said, ": "), ": ")
	} else if at.line > 0 {
		where += ":" + strconv.Itoa(at.line)
	}
	return fmt.Errorf("%s: %s: %s", where, foreign.Line(said), s.remedy(said))
}

// remedy says what to do about an error.
func (s Source) remedy(said string) string {
	field := unknown.FindStringSubmatch(said)
	if field == nil {
		return fmt.Sprintf("a sample is one %s in the form that the end of its name says", s.Message.FullName())
	}
	if near := commandline.Nearest(field[1], fields(s.Message)); len(near) > 0 {
		return commandline.DidYouMean(near)
	}
	return fmt.Sprintf("leave it out, or add it to %s", s.Message.FullName())
}

// fields are the names of the fields of a message and of those within it.
func fields(m protoreflect.MessageDescriptor) (names []string) {
	seen := map[protoreflect.FullName]bool{}
	var visit func(protoreflect.MessageDescriptor)
	visit = func(m protoreflect.MessageDescriptor) {
		if m == nil || seen[m.FullName()] {
			return
		}
		seen[m.FullName()] = true
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			if !m.IsMapEntry() {
				names = append(names, string(f.Name()))
			}
			visit(f.Message())
		}
	}
	visit(m)
	return names
}

// line is where encoding/json found an error, from 1.
func line(data []byte, err error) int {
	syntax, is := errors.AsType[*json.SyntaxError](err)
	if !is {
		return 1
	}
	return 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
}
