package workloads

import (
	"fmt"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// The cache holds four in five of the keys, so four in five random lookups hit.
const (
	cacheEntries = 10_000
	cacheKeys    = 12_500
)

// cache gets a message from an LRU cache in memory, hashicorp/golang-lru, which has
// one mutex. A fifth of the calls misses and adds the message.
func cache() workload.Workload {
	return workload.Workload{
		Name: "cache", About: "gets one of 12,500 messages from an LRU cache of 10,000, and puts it there when it is missing",
		Start: func(string) (workload.Work, error) {
			c, err := newLookup()
			if err != nil {
				return workload.Work{}, err
			}
			setup := fmt.Sprintf("golang-lru, %d entries, %d keys", cacheEntries, cacheKeys)
			return workload.Work{Do: c.do, Setup: setup}, nil
		},
	}
}

// lookup is the cache with a counter of its calls.
type lookup struct {
	cache *lru.Cache[int64, message.Message]
	calls atomic.Uint64
}

// newLookup makes a full cache, so that the first calls hit as often as later ones.
func newLookup() (*lookup, error) {
	c, err := lru.New[int64, message.Message](cacheEntries)
	if err != nil {
		return nil, err
	}
	for id := range int64(cacheEntries) {
		c.Add(id, message.Of(id))
	}
	return &lookup{cache: c}, nil
}

func (l *lookup) do() error {
	id := int64(scatter(l.calls.Add(1)) % cacheKeys)
	m, ok := l.cache.Get(id)
	if !ok {
		m = message.Of(id)
		l.cache.Add(id, m)
	}
	if m.ID != id {
		return message.ErrWrong
	}
	return nil
}

// scatter turns n into a random number: it is the last step of SplitMix64.
func scatter(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
