package dubbo

import (
	"sync"

	"dubbo.apache.org/dubbo-go/v3/graceful_shutdown"
	getty "github.com/apache/dubbo-getty"
	"github.com/dubbogo/gost/log/logger"
)

// quiet turns off dubbo-go's log, which goes to the standard output, and keeps it from
// handling signals. It applies to the whole process.
var quiet = sync.OnceFunc(func() {
	logger.SetLogger(silence{})
	getty.SetLogger(silence{})
	graceful_shutdown.Init(graceful_shutdown.WithoutInternalSignal())
})

// silence is a logger that writes nothing.
type silence struct{}

func (silence) Info(...any) {}

func (silence) Warn(...any) {}

func (silence) Error(...any) {}

func (silence) Debug(...any) {}

func (silence) Fatal(...any) {}

func (silence) Infof(string, ...any) {}

func (silence) Warnf(string, ...any) {}

func (silence) Errorf(string, ...any) {}

func (silence) Debugf(string, ...any) {}

func (silence) Fatalf(string, ...any) {}
