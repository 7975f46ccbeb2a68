package dubbo

import (
	"context"
	"strings"

	"dubbo.apache.org/dubbo-go/v3/common/constant"
	"dubbo.apache.org/dubbo-go/v3/common/extension"
	"dubbo.apache.org/dubbo-go/v3/filter"
	"dubbo.apache.org/dubbo-go/v3/protocol/base"
	"dubbo.apache.org/dubbo-go/v3/protocol/result"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors {
	return layer.Interceptors{By: "a filter of SetFilter by its name, in WithClientFilter and WithFilter, behind dubbo-go's own filters"}
}

// passing names the filter that does nothing.
const passing = "rpcbench-passing"

// Filters are registered for the process, by init functions as dubbo-go's own.
func init() { extension.SetFilter(passing, func() filter.Filter { return pass{} }) }

// filtersOfClient are the names of n filters that do nothing. dubbo-go puts its own before them.
func filtersOfClient(n int) string { return strings.TrimSuffix(strings.Repeat(passing+",", n), ",") }

// filtersOfServer is filtersOfClient with dubbo-go's own, which a server has only without others.
func filtersOfServer(n int) string {
	return constant.DefaultServiceFilters + strings.Repeat(","+passing, n)
}

// pass is a filter that does nothing.
type pass struct{}

var _ filter.Filter = pass{}

// Invoke implements filter.Filter.
func (pass) Invoke(ctx context.Context, next base.Invoker, call base.Invocation) result.Result {
	return next.Invoke(ctx, call)
}

// OnResponse implements filter.Filter.
func (pass) OnResponse(_ context.Context, r result.Result, _ base.Invoker, _ base.Invocation) result.Result {
	return r
}
