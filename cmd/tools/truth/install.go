//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/cell"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// install installs the tools of the cells with runs to do. It returns all cells, with the
// versions of the tools, or with why one is missing.
func (o *options) install(ctx context.Context, all []cell.Cell, said io.Writer) []cell.Cell {
	toDo := o.tasks(all)
	all = slices.Clone(all)
	for _, recipe := range tool.Recipes() {
		used := func(t task) bool { return t.cell.Mode.Tool == recipe.Tool }
		if !slices.ContainsFunc(toDo, used) {
			continue
		}
		fmt.Fprintf(said, "%s %s\n", recipe.Tool, recipe.Version)
		_, version, err := recipe.Install(ctx, o.toolsDir, said)
		if err != nil {
			fmt.Fprintln(said, foreign.Line(err.Error()))
		}
		for i := range all {
			if all[i].Mode.Tool == recipe.Tool {
				all[i].Version, all[i].Missing = version, err
			}
		}
	}
	return all
}
