// Package folder lists the files of a directory that are a command's own by their names. In a
// directory of files there are those of others as well: of file managers, as .DS_Store, ._x.json
// and Thumbs.db, of editors, as x.txt~, and of a copy that is under way, as .part-x.json.
package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Others are the files of a directory that are not the command's.
type Others struct {
	Number int
	One    string // the path of the first
}

// Files lists the files of a directory whose names have the extension, as in ".json", in the
// order of their names. Hidden files and directories are of others.
func Files(dir, extension string) (files []string, others Others, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, Others{}, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if filepath.Ext(path) == extension && !strings.HasPrefix(e.Name(), ".") && !isDirectory(path) {
			files = append(files, path)
			continue
		}
		if others.Number++; others.Number == 1 {
			others.One = path
		}
	}
	return files, others, nil
}

// isDirectory follows symbolic links.
func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Why says why the first is left out, and how many more are; what is the plural of what the
// command looks for. It is "" without any.
func (o Others) Why(what string) string {
	switch o.Number {
	case 0:
		return ""
	case 1:
		return "it is not one of the " + what
	}
	return fmt.Sprintf("it is not one of the %s, and neither are %d more files there", what, o.Number-1)
}
