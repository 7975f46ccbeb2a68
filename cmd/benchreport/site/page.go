package site

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/whole"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

//go:embed style.css
var style []byte

//go:embed *.html
var files embed.FS

var templates = template.Must(template.New("").ParseFS(files, "*.html"))

// pages are the files of a site, by name.
type pages map[string][]byte

// head is what every page has.
type head struct {
	Title string
	Here  string // the page's own file
	Nav   []link
}

// link leads to a page, or to a part of one.
type link struct{ Name, Page string }

func (p pages) add(name, layout string, data any) error {
	var b bytes.Buffer
	err := templates.ExecuteTemplate(&b, layout, data)
	p[name] = b.Bytes()
	return err
}

// madeBy is in the first lines of every file of a site. A file without it is not touched.
const madeBy = "benchreport -site"

var errForeign = errors.New("a file is there that " + madeBy + " did not make")

// manifest is the file that lists the files of a site.
const manifest = ".benchreport-site"

// write writes the files, and then removes those of the last site that are no more. The
// list is written first, with both, so that nothing is forgotten after an error.
func (p pages) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, names := listed(dir), slices.Sorted(maps.Keys(p))
	for _, name := range names {
		if err := free(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	all := slices.Concat(names, old)
	slices.Sort(all)
	if err := list(dir, slices.Compact(all)); err != nil {
		return err
	}
	for _, name := range names {
		if err := put(filepath.Join(dir, name), p[name]); err != nil {
			return err
		}
	}
	for _, name := range old {
		if err := p.remove(dir, name); err != nil {
			return err
		}
	}
	return list(dir, names)
}

func put(path string, text []byte) error {
	return whole.Write(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

func list(dir string, names []string) error {
	return put(filepath.Join(dir, manifest), []byte("# The files of "+madeBy+", which removes them once they are no more.\n"+strings.Join(names, "\n")+"\n"))
}

var ownName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.(html|css)$`)

// mostNames is more than the list of any site, in bytes.
const mostNames = 16 << 20

// listed are the files of the site that is there.
func listed(dir string) (names []string) {
	text, err := regular.ReadFile(filepath.Join(dir, manifest), mostNames)
	if err != nil { // then there was no site
		return nil
	}
	for name := range strings.Lines(string(text)) {
		if name = strings.TrimSuffix(name, "\n"); ownName.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

// remove removes a file of the last site, unless it is of this one, too, or somebody has
// put another in its place.
func (p pages) remove(dir, name string) error {
	path := filepath.Join(dir, name)
	if _, again := p[name]; again || !ours(path) {
		return nil
	}
	return os.Remove(path)
}

// free says why a file must not be written.
func free(path string) error {
	if _, err := os.Lstat(path); err != nil || ours(path) {
		return nil
	}
	return &os.PathError{Op: "write", Path: path, Err: errForeign}
}

// ours reports whether a file was made by this package.
func ours(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 300)
	n, _ := io.ReadFull(f, begin) // a short file has less
	return bytes.Contains(begin[:n], []byte(madeBy))
}
