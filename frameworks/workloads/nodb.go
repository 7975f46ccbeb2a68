//go:build nodb

package workloads

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// databases are left out with the tag nodb, for binaries that measure something
// else: they are a quarter of what the root's build compiles.
func databases() []framework.Workload { return nil }
