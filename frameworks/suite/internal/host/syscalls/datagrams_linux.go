package syscalls

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// datagrams returns how many datagrams a system call sends of n bytes: the kernel cuts what one
// call hands over where its control message says (UDP_SEGMENT).
func datagrams(pid int, c call, n int64) int64 {
	size := int64(0)
	if c.number == unix.SYS_SENDMSG {
		size = segment(controlOf(pid, c.message))
	}
	if size <= 0 || size >= n {
		return 1
	}
	return (n + size - 1) / size
}

// controlOf reads the control messages of a struct msghdr in the memory of a process; nil where
// there are none, or where it has ended.
func controlOf(pid int, at uint64) []byte {
	var m unix.Msghdr
	head := unsafe.Slice((*byte)(unsafe.Pointer(&m)), unsafe.Sizeof(m))
	const most = 1 << 10
	if !read(pid, at, head) || m.Control == nil || m.Controllen > most {
		return nil
	}
	control := make([]byte, m.Controllen)
	if !read(pid, uint64(binary.NativeEndian.Uint64(head[unsafe.Offsetof(m.Control):])), control) {
		return nil
	}
	return control
}

func read(pid int, at uint64, into []byte) bool {
	local := []unix.Iovec{{Base: &into[0]}}
	local[0].SetLen(len(into))
	n, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(at), Len: len(into)}}, 0)
	return err == nil && n == len(into)
}

// segment is the size of datagrams that control messages ask for; 0 if they do not.
func segment(control []byte) int64 {
	list, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0
	}
	for _, m := range list {
		if m.Header.Level == unix.IPPROTO_UDP && m.Header.Type == unix.UDP_SEGMENT && len(m.Data) >= 2 {
			return int64(binary.NativeEndian.Uint16(m.Data))
		}
	}
	return 0
}

func sends(number uint64) bool {
	switch number {
	case unix.SYS_WRITE, unix.SYS_SENDTO, unix.SYS_SENDMSG:
		return true
	}
	return false
}
