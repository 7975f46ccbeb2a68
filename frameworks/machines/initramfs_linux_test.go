package machines

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/machines/guest"
)

// initramfs makes the files of a machine, in the format of a kernel: its first process, the
// benchmarks, and the modules that the network takes.
func initramfs(t *testing.T, k kernel) []byte {
	t.Helper()
	first := filepath.Join(t.TempDir(), "init")
	command(t, ".", "env", "CGO_ENABLED=0", "go", "build", "-o", first, "./guest/init")
	binary, err := ofGRPC()
	require.NoError(t, err)
	var a archive
	a.add("dev", fs.ModeDir|0o755, 0, nil)
	a.add("dev/console", fs.ModeCharDevice|0o600, 5<<8|1, nil)
	a.add("dev/null", fs.ModeCharDevice|0o666, 1<<8|3, nil)
	a.add("init", 0o755, 0, read(t, first))
	a.add("rpcbench.test", 0o755, 0, read(t, binary))
	a.modules(t, k)
	return a.end()
}

// modules adds what the network takes, and its order.
func (a *archive) modules(t *testing.T, k kernel) {
	var order []string
	for _, file := range k.modules(t, "virtio_pci", "virtio_net") {
		order = append(order, "/"+moduleOf(file))
		a.add(moduleOf(file), 0o600, 0, plain(t, file))
	}
	a.add(path.Base(guest.Modules), 0o600, 0, []byte(strings.Join(order, "\n")))
}

// archive is what cpio calls newc.
type archive struct {
	bytes.Buffer
	files int
}

// add adds a file. Its name and its content begin at multiples of four bytes.
func (a *archive) add(name string, mode fs.FileMode, device int, content []byte) {
	kind := map[fs.FileMode]fs.FileMode{0: 0o100000, fs.ModeDir: 0o040000, fs.ModeCharDevice: 0o020000}[mode&^fs.ModePerm]
	a.files++
	a.WriteString("070701")
	for _, field := range []int{
		a.files, int(kind | mode&fs.ModePerm), 0, 0, 1, 0, len(content), 0, 0, device >> 8, device & 0xff, len(name) + 1, 0,
	} {
		fmt.Fprintf(a, "%08x", field)
	}
	a.WriteString(name + "\x00")
	a.align()
	a.Write(content)
	a.align()
}

func (a *archive) align() { a.Write(make([]byte, -a.Len()&3)) }

func (a *archive) end() []byte {
	a.add("TRAILER!!!", 0, 0, nil)
	return a.Bytes()
}

func TestArchive(t *testing.T) {
	var a archive
	a.add("dev", fs.ModeDir|0o755, 0, nil)
	a.add("dev/console", fs.ModeCharDevice|0o600, 5<<8|1, nil)
	a.add("x", 0o644, 0, []byte("12345"))
	const zero = "00000000"
	header := func(number, mode, size, major, minor, name string) string {
		return "070701" + number + mode + zero + zero + "00000001" + zero + size + zero + zero + major + minor + name + zero
	}
	assert.Equal(t, header("00000001", "000041ed", zero, zero, zero, "00000004")+"dev\x00\x00\x00"+
		header("00000002", "00002180", zero, "00000005", "00000001", "0000000c")+"dev/console\x00\x00\x00"+
		header("00000003", "000081a4", "00000005", zero, zero, "00000002")+"x\x0012345\x00\x00\x00"+
		header("00000004", "00008000", zero, zero, zero, "0000000b")+"TRAILER!!!\x00\x00\x00\x00", string(a.end()))
}
