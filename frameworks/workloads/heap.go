package workloads

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// An object that workload=heap keeps is a list of blocks, because the collector marks
// each block by following a pointer. It never looks into bytes.
const (
	heapBlocks = 16   // of an object
	heapObject = 1024 // bytes of an object: blocks of 64 bytes each
)

// heap keeps objects alive, as a server with a cache or sessions does. Each call
// allocates one and drops the oldest, so that the collector runs, and each time marks
// all that are alive.
func heap() workload.Workload {
	return workload.Workload{
		Name: "heap", About: "allocates 1 KiB in 16 blocks, keeps it, and drops the oldest that it kept",
		Flag: "heap", Default: "64MiB", Usage: "how much memory workload=heap keeps, in KiB, MiB or GiB",
		Start: func(option string) (workload.Work, error) {
			n, err := parseBytes("heap", option)
			if err != nil {
				return workload.Work{}, err
			}
			k := &keeper{objects: make([]atomic.Pointer[block], n/heapObject)}
			setup := fmt.Sprintf("%s live, %d blocks of %d B", option, len(k.objects)*heapBlocks, heapObject/heapBlocks)
			return workload.Work{Do: k.do, Setup: setup}, nil
		},
	}
}

// keeper keeps objects in places, of which the calls take turns.
type keeper struct {
	objects []atomic.Pointer[block]
	calls   atomic.Uint64
	fill    sync.Once
}

// block is a part of an object. All blocks of an object have its number.
type block struct {
	next   *block
	number uint64
	_      [heapObject/heapBlocks - 16]byte
}

// do replaces an object. The first call fills all places: until then the process that
// only tries the workload needs no memory.
func (k *keeper) do() error {
	places := uint64(len(k.objects))
	k.fill.Do(func() {
		for at := range k.objects {
			k.objects[at].Store(newObject(uint64(at)))
		}
	})
	number := k.calls.Add(1) + places - 1
	at := number % places
	old := k.objects[at].Swap(newObject(number))
	return old.check(at, places)
}

func newObject(number uint64) (first *block) {
	for range heapBlocks {
		first = &block{next: first, number: number}
	}
	return first
}

// check returns an error unless this is a whole object of that place.
func (b *block) check(at, places uint64) error {
	number, n := b.number, 0
	for ; b != nil && b.number == number; b = b.next {
		n++
	}
	if n != heapBlocks || number%places != at {
		return message.ErrWrong
	}
	return nil
}
