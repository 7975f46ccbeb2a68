package motan

import (
	"strings"
	"sync"

	motango "github.com/weibocom/motan-go"
	"github.com/weibocom/motan-go/core"
	"github.com/weibocom/motan-go/filter"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors {
	return layer.Interceptors{By: "an EndPointFilter by its name, in the parameter filter of both sides"}
}

// passing names the filter that does nothing.
const passing = "rpcbench-passing"

// register makes the filter known in this process.
var register = sync.OnceFunc(func() {
	motango.GetDefaultExtFactory().RegistExtFilter(passing, func() core.Filter { return new(pass) })
})

// filters is the value of the parameter for n filters that do nothing.
func filters(n int) string {
	register()
	return strings.TrimSuffix(strings.Repeat(passing+",", n), ",")
}

// pass is a filter that does nothing.
type pass struct{ next core.EndPointFilter }

var _ core.EndPointFilter = (*pass)(nil)

// Filter implements core.EndPointFilter.
func (p *pass) Filter(caller core.Caller, r core.Request) core.Response {
	return p.next.Filter(caller, r)
}

// NewFilter implements core.Filter.
func (p *pass) NewFilter(*core.URL) core.Filter { return new(pass) }

// HasNext implements core.Filter.
func (p *pass) HasNext() bool { return p.next != nil }

// SetNext implements core.EndPointFilter.
func (p *pass) SetNext(next core.EndPointFilter) { p.next = next }

// GetNext implements core.EndPointFilter.
func (p *pass) GetNext() core.EndPointFilter { return p.next }

// GetIndex implements core.Filter.
func (p *pass) GetIndex() int { return 1 }

// GetType implements core.Filter.
func (p *pass) GetType() int32 { return core.EndPointFilterType }

// GetName implements core.Name.
func (p *pass) GetName() string { return passing }

// GetRuntimeInfo implements core.RuntimeInfo.
func (p *pass) GetRuntimeInfo() map[string]any { return filter.GetFilterRuntimeInfo(p) }
