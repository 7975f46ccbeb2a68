package machines

import (
	"bytes"
	"debug/elf"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kernel is a directory with the files of a kernel's packages.
type kernel string

// unpacked returns the kernel of Debian's virtual machines, or of Ubuntu's. It is not
// installed, and stays in bin until make clean.
func unpacked(t *testing.T) kernel {
	t.Helper()
	packages := kernelPackages(t)
	dir, err := filepath.Abs(filepath.Join("../../bin/kernels", packages[0]))
	require.NoError(t, err)
	if _, err := os.Stat(dir); err == nil {
		return kernel(dir)
	}
	fetched := dir + ".part"
	require.NoError(t, os.RemoveAll(fetched))
	require.NoError(t, os.MkdirAll(fetched, 0o755))
	command(t, fetched, "apt-get", append([]string{"download"}, packages...)...)
	debs, err := filepath.Glob(fetched + "/*.deb")
	require.NoError(t, err)
	for _, deb := range debs {
		command(t, fetched, "dpkg-deb", "-x", deb, ".")
		require.NoError(t, os.Remove(deb))
	}
	require.NoError(t, os.Rename(fetched, dir))
	return kernel(dir)
}

// kernelPackages are those that the newest kernel is made of, its image first.
func kernelPackages(t *testing.T) (list []string) {
	versioned := regexp.MustCompile(`(?m)^  Depends: (linux-(?:image|modules)-\d\S+)$`)
	all := command(t, ".", "apt-cache", "search", "--names-only", "^linux-image-(cloud-amd64|virtual)$")
	name, _, _ := strings.Cut(all, " ")
	for name != "" {
		found := versioned.FindStringSubmatch(command(t, ".", "apt-cache", "depends", name))
		if name = ""; found != nil {
			name = found[1]
			list = append(list, name)
		}
	}
	require.NotEmpty(t, list, "no package of a kernel is known: apt-get update")
	return list
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, out)
	return string(out)
}

// image is the file that boots.
func (k kernel) image(t *testing.T) string {
	images, err := filepath.Glob(filepath.Join(string(k), "boot/vmlinuz-*"))
	require.NoError(t, err)
	require.Len(t, images, 1)
	return images[0]
}

// modules returns the files of modules, those that others need first. One without a file is
// a part of the kernel.
func (k kernel) modules(t *testing.T, names ...string) (list []string) {
	files, seen := map[string]string{}, map[string]bool{}
	require.NoError(t, filepath.WalkDir(string(k), func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), ".ko") {
			files[moduleOf(path)] = path
		}
		return err
	}))
	var visit func(name string)
	visit = func(name string) {
		if file := files[name]; file != "" && !seen[name] {
			seen[name] = true
			for _, other := range needed(t, plain(t, file)) {
				visit(other)
			}
			list = append(list, file)
		}
	}
	for _, name := range names {
		visit(name)
	}
	return list
}

// moduleOf is the name of a module, in which the kernel knows no dash.
func moduleOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// needed are the modules that one says it needs.
func needed(t *testing.T, module []byte) []string {
	file, err := elf.NewFile(bytes.NewReader(module))
	require.NoError(t, err)
	info, err := file.Section(".modinfo").Data()
	require.NoError(t, err)
	for field := range strings.SplitSeq(string(info), "\x00") {
		if names, found := strings.CutPrefix(field, "depends="); found {
			return strings.FieldsFunc(strings.ReplaceAll(names, "-", "_"), func(r rune) bool { return r == ',' })
		}
	}
	return nil
}

// plain returns a file that may be compressed.
func plain(t *testing.T, file string) []byte {
	program := map[string]string{".xz": "xz", ".zst": "zstd"}[filepath.Ext(file)]
	if program == "" {
		return read(t, file)
	}
	text, err := exec.CommandContext(t.Context(), program, "-dc", file).Output()
	require.NoError(t, err, file)
	return text
}
