package motan

import (
	"strconv"

	"github.com/weibocom/motan-go/core"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is how both sides are configured.
type setup struct {
	codec string
	kind
	layers layer.Stack
}

// parameters adds to a URL of motan's what both sides have.
func (s setup) parameters(of map[string]string) map[string]string {
	of[core.SerializationKey], of[core.MaxContentLength] = s.codec, strconv.Itoa(maxContent)
	if s.layers.Has(layer.Gzip) {
		of[core.GzipSizeKey] = "1" // bytes; 0 would compress nothing
	}
	if n := s.layers.Chain; n > 0 {
		of[core.FilterKey] = filters(n)
	}
	return of
}
