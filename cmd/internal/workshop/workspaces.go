package workshop

import (
	"context"
	"os"
	"slices"
	"strings"
)

// workspaces lists the go.work files that go would take for packages below the current
// directory, each once.
func workspaces(ctx context.Context, packages []string) (files []string) {
	for _, pkg := range packages {
		if info, err := os.Stat(pkg); err != nil || !info.IsDir() {
			continue
		}
		file := workspace(ctx, pkg)
		if file != "" && file != "off" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
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

// lacking is what an error says of a build without go.work files.
func lacking(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return " without " + strings.Join(files, ", ") + ", which is left out of every build"
}
