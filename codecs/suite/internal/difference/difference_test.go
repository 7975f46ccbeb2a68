package difference

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type message struct {
	Number  int64    `json:"number"`
	Small   uint64   `json:"small,omitempty"`
	Real    float64  `json:"-"`
	Flag    bool     `json:",omitempty"`
	Text    string   `json:"text"`
	Bytes   []byte   `json:"bytes"`
	Maybe   *int32   `json:"maybe"`
	Inner   *message `json:"inner"`
	List    []message
	Array   [2]int
	Map     map[string]int
	Any     any
	Time    time.Time
	Func    func()
	private int
}

// generated looks as what protoc-gen-go makes.
type generated struct {
	state         int
	Items         []string `protobuf:"bytes,1,rep,name=items,proto3" json:"items,omitempty"`
	Plain         []byte   `protobuf:"bytes,2,opt,name=plain,proto3" json:"plain,omitempty"`
	Optional      []byte   `protobuf:"bytes,3,opt,name=optional,proto3,oneof" json:"optional,omitempty"`
	XXX_cache     int
	unknownFields []byte
	Choice        any     `protobuf_oneof:"choice"`
	xxx_hidden_F  *string `protobuf:"bytes,4,opt,name=f_1"`
}

// card is a choice of it.
type card struct {
	CardNumber string `protobuf:"bytes,9,opt,name=card_number,json=cardNumber,proto3,oneof"`
}

func (*generated) ProtoReflect() {}

// amount has a method Equal and fields of its own.
type amount struct{ Units, scale int }

func (a amount) Equal(b amount) bool { return a.Units == b.Units }

func of[T any](v T) *T { return &v }

func TestList(t *testing.T) {
	for _, c := range []struct {
		about     string
		got, want any
		say       []string
	}{
		{"equal ones", &message{Number: 1}, &message{Number: 1}, nil},
		{"NaN equals NaN", &message{Real: math.NaN()}, &message{Real: math.NaN()}, nil},
		{"NaN that is a number", &message{}, &message{Real: math.NaN()}, []string{"Real: NaN changed"}},
		{"an infinity", &message{}, &message{Real: math.Inf(-1)}, []string{"Real: an infinity changed"}},
		{"a float that is cut", &message{Real: float64(float32(0.1))}, &message{Real: 0.1}, []string{"Real: cut to 32 bits"}},
		{"a float that is lost", &message{}, &message{Real: 0.1}, []string{"Real: became 0"}},
		{"another float", &message{Real: 2}, &message{Real: 0.1}, []string{"Real: changed"}},
		{"an integer that is cut to nothing", &message{}, &message{Number: 1 << 32}, []string{"number: cut to 32 bits"}},
		{"an integer that is lost", &message{}, &message{Number: 5}, []string{"number: became 0"}},
		{"another integer", &message{Number: 6}, &message{Number: 5}, []string{"number: changed"}},
		{"one that was a float", &message{Small: 1 << 60}, &message{Small: 1<<60 + 1}, []string{"small: rounded to a float"}},
		{"without a sign", &message{Small: 7}, &message{Small: 1<<40 + 7}, []string{"small: cut to 32 bits"}},
		{"flags", &message{Flag: true, List: []message{{}}}, &message{List: []message{{Flag: true}}}, []string{"Flag: false became true", "List.Flag: true became false"}},
		{"texts", &message{Text: "ab", Bytes: []byte("x")}, &message{Text: "abc", Bytes: []byte("y")}, []string{"text: cut short", "bytes: changed"}},
		{"no UTF-8", &message{Text: "\ufffd"}, &message{Text: "\xff"}, []string{"text: invalid UTF-8 changed"}},
		{"nothing left", &message{Bytes: []byte{}}, &message{Text: "a", Bytes: []byte{1}}, []string{"text: became empty", "bytes: became empty"}},
		{"empty and nil", &message{Bytes: []byte{}, Map: map[string]int{}}, &message{List: []message{}}, []string{"bytes: absent became empty", "List: empty became absent", "Map: absent became empty"}},
		{"presence of zero", &message{}, &message{Maybe: of(int32(0)), Inner: &message{}}, []string{"maybe: 0 became absent", "inner: an empty message became absent"}},
		{"presence of others", &message{Maybe: of(int32(1))}, &message{Inner: &message{Number: 1}}, []string{"maybe: absent became present", "inner: present became absent"}},
		{"in a message of the same type", &message{Inner: &message{}}, &message{Inner: &message{Number: 1}}, []string{"inner.number: became 0"}},
		{"elements are told once", &message{List: make([]message, 2)}, &message{List: []message{{Number: 1}, {Number: 2}}}, []string{"List.number: became 0"}},
		{"fewer elements", &message{List: make([]message, 1)}, &message{List: make([]message, 2)}, []string{"List: elements lost"}},
		{"no elements", &message{}, &message{List: make([]message, 2)}, []string{"List: all elements lost"}},
		{"more elements", &message{List: make([]message, 3)}, &message{List: make([]message, 2)}, []string{"List: elements added"}},
		{"an array", &message{Array: [2]int{1, 2}}, &message{Array: [2]int{1, 3}}, []string{"Array: changed"}},
		{"a map", &message{Map: map[string]int{"a": 1, "b": 2}}, &message{Map: map[string]int{"a": 3, "c": 2}}, []string{"Map: changed", "Map: entries added", "Map: entries lost"}},
		{"an any", &message{Any: 1.0}, &message{Any: 1}, []string{"Any: int became float64"}},
		{"none of them", &message{}, &message{Any: 1}, []string{"Any: present became absent"}},
		{"a time of another place", &message{Time: time.Unix(1, 0).UTC()}, &message{Time: time.Unix(1, 0).In(time.FixedZone("x", 60))}, nil},
		{"another time", &message{Time: time.Unix(1, 0)}, &message{Time: time.Unix(2, 0)}, []string{"Time: changed"}},
		{"a type that says what is equal", &struct{ A amount }{amount{1, 2}}, &struct{ A amount }{amount{1, 3}}, nil},
		{"and what is not", &struct{ A amount }{amount{1, 2}}, &struct{ A amount }{amount{2, 2}}, []string{"A.Units: changed"}},
		{"functions", &message{Func: func() {}}, &message{}, []string{"Func: changed"}},
		{"a field that is not exported", &message{}, &message{private: 1}, []string{"private: became 0"}},
		{"what a generated struct keeps", &generated{state: 1, XXX_cache: 1, Items: []string{}, Plain: []byte{}}, &generated{}, nil},
		{"bytes with presence", &generated{}, &generated{Optional: []byte{}}, []string{"optional: empty became absent"}},
		{"unknown fields", &generated{}, &generated{unknownFields: []byte{1}}, []string{"unknown fields: became empty"}},
		{"a oneof", &generated{Choice: &card{}}, &generated{Choice: &card{"1"}}, []string{"choice.card_number: became empty"}},
		{"a field of the opaque API", &generated{}, &generated{xxx_hidden_F: of("x")}, []string{"f_1: present became absent"}},
		{"no struct", of("a"), of("b"), []string{"message: changed"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			assert.ElementsMatch(t, c.say, List(c.got, c.want), fmt.Sprintf("%+v", c.got))
			assert.Equal(t, len(c.say) == 0, None(c.got, c.want))
		})
	}
}
