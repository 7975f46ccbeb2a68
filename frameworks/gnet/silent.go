package gnet

import "github.com/panjf2000/gnet/v2/pkg/logging"

// silent is a log that drops everything. gnet's own would mix with the results.
type silent struct{}

var _ logging.Logger = silent{}

// Debugf implements logging.Logger.
func (silent) Debugf(string, ...any) {}

// Infof implements logging.Logger.
func (silent) Infof(string, ...any) {}

// Warnf implements logging.Logger.
func (silent) Warnf(string, ...any) {}

// Errorf implements logging.Logger.
func (silent) Errorf(string, ...any) {}

// Fatalf implements logging.Logger.
func (silent) Fatalf(string, ...any) {}
