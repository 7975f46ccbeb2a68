package call

import (
	"cmp"
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// answers keeps the last answer to each worker's bench message. Two fields are compared
// during the call, and some of the others when the end of the call has been stamped.
type answers struct {
	kept    []keptAnswer // by worker
	pattern atomic.Pointer[pattern]
}

type keptAnswer struct {
	reply any
	next  int      // the field to begin with
	calls int      // whose answers were Structured
	begun int      // calls
	_     [88]byte // see keptReply
}

// fieldsPerCall is how many fields of an answer are compared. It takes some calls to
// compare all.
const fieldsPerCall = 8

// NumberedField is the field of the bench message that holds the number of a call.
const NumberedField = "Field22"

// callsPerWhole is how many calls of a worker it takes until the next answer of type
// message.Structured is converted and compared. Converting it costs more than many
// calls.
const callsPerWhole = 256

func newAnswers(workers int) *answers { return &answers{kept: make([]keptAnswer, workers)} }

// keep is the MessageCheck.
func (a *answers) keep(worker int, field1 string, field2 int32, reply any) error {
	if err := CheckAnswer(field1, field2); err != nil {
		return wrongReply(err.Error())
	}
	a.kept[worker].reply = reply
	return nil
}

// begin counts a call, and forgets an answer whose call has failed after keep.
func (a *answers) begin(worker int) {
	k := &a.kept[worker]
	k.reply = nil
	k.begun++
}

// compare returns an error if a field of the answer kept is wrong.
func (a *answers) compare(worker int) error {
	k := &a.kept[worker]
	reply, number := k.reply, message.Number(worker, k.begun)
	k.reply = nil
	if s, ok := reply.(message.Structured); ok {
		return a.compareStructured(k, s, number)
	}
	p, answer, err := a.read(reply)
	if err != nil {
		return err
	}
	return cmp.Or(p.compareNumber(answer, number), p.compare(answer, &k.next, fieldsPerCall))
}

func (a *answers) compareStructured(k *keptAnswer, reply message.Structured, number int64) error {
	if n, ok := reply.(message.Numbered); ok && n.Number() != number {
		return errOtherNumber
	}
	k.calls++
	if k.calls%callsPerWhole != 1 {
		return nil
	}
	p, answer, err := a.read(reply.Struct())
	if err != nil {
		return err
	}
	return cmp.Or(p.compareNumber(answer, number), p.compare(answer, new(int), len(p.fields)))
}

// read returns the pattern of a reply, which is a struct given by pointer, and where the
// struct is.
func (a *answers) read(reply any) (p *pattern, answer unsafe.Pointer, err error) {
	p = a.pattern.Load()
	if t := reflect.TypeOf(reply); p == nil || p.of != t { // all answers of a job have the same type
		if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
			return nil, nil, fmt.Errorf("reply: the bench message is a %T, want a pointer to a struct, or a Structured", reply)
		}
		p = newPattern(t)
		a.pattern.Store(p)
	}
	if answer = reflect.ValueOf(reply).UnsafePointer(); answer == nil {
		err = ErrNoReply
	}
	return p, answer, err
}

// pattern is the right answer as a native type has it.
type pattern struct {
	of     reflect.Type // a pointer to a struct
	fields []patternField
	number *patternField // of the call; nil for a type without one
}

// patternField is a field and its value. It is read by its offset, because reflection
// takes several times longer.
type patternField struct {
	offset  uintptr
	pointer bool // the field is a pointer to the value
	kind    reflect.Kind
	name    string
	text    string
	number  int64
	truth   bool
}

func newPattern(t reflect.Type) *pattern {
	right := reflect.New(t.Elem())
	message.Fill(right.Interface())
	p := &pattern{of: t}
	for i := range t.Elem().NumField() {
		switch f := t.Elem().Field(i); {
		case !f.IsExported() || f.Name == "Field1" || f.Name == "Field2": // answers.keep compares these
		case f.Name == NumberedField:
			p.number = &patternField{offset: f.Offset, pointer: f.Type.Kind() == reflect.Pointer, kind: reflect.Int64}
		default:
			p.add(f, reflect.Indirect(right.Elem().Field(i)))
		}
	}
	return p
}

// add adds a field that message.Fill fills with v.
func (p *pattern) add(from reflect.StructField, v reflect.Value) {
	f := patternField{offset: from.Offset, pointer: from.Type.Kind() == reflect.Pointer, kind: v.Kind(), name: from.Name}
	switch f.kind {
	case reflect.String:
		f.text = v.String()
	case reflect.Int32, reflect.Int64:
		f.number = v.Int()
	case reflect.Bool:
		f.truth = v.Bool()
	default:
		return
	}
	p.fields = append(p.fields, f)
}

// errOtherNumber says that an answer is to another call.
var errOtherNumber = fmt.Errorf("%w: %s of the bench message is not the call's number", ErrWrongReply, NumberedField)

// compareNumber compares the number of the call.
func (p *pattern) compareNumber(answer unsafe.Pointer, number int64) error {
	if p.number == nil {
		return nil
	}
	want := *p.number
	if want.number = number; !want.isIn(answer) {
		return errOtherNumber
	}
	return nil
}

// compare compares n fields of the struct at answer, and moves next on.
func (p *pattern) compare(answer unsafe.Pointer, next *int, n int) error {
	for range min(n, len(p.fields)) {
		f := &p.fields[*next]
		if *next++; *next == len(p.fields) {
			*next = 0
		}
		if !f.isIn(answer) {
			return fmt.Errorf("%w: %s of the bench message", ErrWrongReply, f.name)
		}
	}
	return nil
}

// isIn reports whether the field of the struct at answer has the right value.
func (f *patternField) isIn(answer unsafe.Pointer) bool {
	at := unsafe.Add(answer, f.offset)
	if f.pointer {
		if at = *(*unsafe.Pointer)(at); at == nil {
			return false
		}
	}
	switch f.kind {
	case reflect.String:
		return *(*string)(at) == f.text
	case reflect.Int32:
		return int64(*(*int32)(at)) == f.number
	case reflect.Int64:
		return *(*int64)(at) == f.number
	default:
		return *(*bool)(at) == f.truth
	}
}

// CheckAnswer returns an error if fields 1 and 2 of the reply to a bench message are wrong.
func CheckAnswer(field1 string, field2 int32) error {
	if field1 != message.AnswerField1 || field2 != message.AnswerField2 {
		return fmt.Errorf("reply: field1 is %.64q and field2 %d, want %q and %d", field1, field2, message.AnswerField1, message.AnswerField2)
	}
	return nil
}
