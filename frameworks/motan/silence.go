package motan

import (
	"sync"

	vlog "github.com/weibocom/motan-go/log"
)

// silence is a vlog.Logger that writes nothing.
type silence struct{}

var _ vlog.Logger = silence{}

func (silence) Infoln(...any) {}

func (silence) Infof(string, ...any) {}

func (silence) Warningln(...any) {}

func (silence) Warningf(string, ...any) {}

func (silence) Errorln(...any) {}

func (silence) Errorf(string, ...any) {}

func (silence) Fatalln(...any) {}

func (silence) Fatalf(string, ...any) {}

func (silence) AccessLog(*vlog.AccessLogEntity) {}

func (silence) MetricsLog(string) {}

func (silence) Flush() {}

func (silence) SetAsync(bool) {}

func (silence) SetLevel(vlog.LogLevel) {}

func (silence) SetAccessStructured(bool) {}

func (silence) SetAccessLogAvailable(bool) {}

func (silence) SetMetricsLogAvailable(bool) {}

func (silence) GetLevel() vlog.LogLevel { return vlog.FatalLevel }

func (silence) GetAccessLogAvailable() bool { return false }

func (silence) GetMetricsLogAvailable() bool { return false }

// quiet turns off motan-go's logs, which go to files and the standard error.
var quiet = sync.OnceFunc(func() { vlog.LogInit(silence{}) })
