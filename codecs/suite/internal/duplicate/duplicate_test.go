package duplicate

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type message struct {
	Pointer *message
	List    []*int
	Empty   []int
	Map     map[string][]int
	Any     any
	Array   [1][]int
	Time    time.Time
	private int
}

// TestOf has a copy that is equal and shares no memory.
func TestOf(t *testing.T) {
	one := 1
	m := &message{
		Pointer: &message{private: 1}, List: []*int{&one, nil}, Empty: []int{}, Map: map[string][]int{"a": {1}},
		Any: []int{1}, Array: [1][]int{{1}}, Time: time.Unix(1, 0), private: 2,
	}
	got := Of(m).(*message)
	assert.True(t, reflect.DeepEqual(m, got))
	one, m.Pointer.private, m.Map["a"][0], m.Any.([]int)[0], m.Array[0][0] = 5, 5, 5, 5, 5
	assert.Equal(t, &message{
		Pointer: &message{private: 1}, List: []*int{got.List[0], nil}, Empty: []int{}, Map: map[string][]int{"a": {1}},
		Any: []int{1}, Array: [1][]int{{1}}, Time: time.Unix(1, 0), private: 2,
	}, got)
	assert.Equal(t, 1, *got.List[0])
	var into message
	Into(&into, got)
	assert.Equal(t, got, &into)
	assert.NotSame(t, got.Pointer, into.Pointer)
}
