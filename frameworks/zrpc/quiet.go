package zrpc

import (
	"sync"

	"github.com/zeromicro/go-zero/core/load"
	"github.com/zeromicro/go-zero/core/logx"
	"github.com/zeromicro/go-zero/core/stat"
)

// quiet switches off go-zero's log, and the figures that it logs each minute. A server sets the
// log up again if nobody has before.
var quiet = sync.OnceFunc(func() {
	logx.SetUp(logx.LogConf{}) // fails for files alone
	logx.Disable()
	stat.DisableLog()
	load.DisableLog()
})
