package workshop

import (
	"context"
	"os"
	"slices"
	"strings"
)

// Workspaces lists the go.work files that go would take for packages below the current
// directory, each once. Nothing is built with them: of two commits, one may be where a
// go.work is and the other not. Errors of Build name them.
func (w *Workshop) Workspaces(ctx context.Context, packages []string) []string {
	w.without = nil
	for _, pkg := range packages {
		if info, err := os.Stat(pkg); err != nil || !info.IsDir() {
			continue
		}
		file := workspace(ctx, pkg)
		if file != "" && file != "off" && !slices.Contains(w.without, file) {
			w.without = append(w.without, file)
		}
	}
	return w.without
}

// workspace is what go would take for the package in dir. Go says nothing of a GOWORK
// that is no path of a file.
func workspace(ctx context.Context, dir string) string {
	given := os.Getenv("GOWORK")
	file, err := GoWith(ctx, []string{"GOWORK=" + given}, dir, "env", "GOWORK")
	if err != nil {
		return given
	}
	return file
}

// lacking is what an error says of a build without go.work.
func (w *Workshop) lacking() string {
	if len(w.without) == 0 {
		return ""
	}
	return " without " + strings.Join(w.without, ", ") + ", which is left out of every build"
}
