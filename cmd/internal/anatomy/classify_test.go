package anatomy

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPlaces plants frames of each part, the innermost first.
func TestPlaces(t *testing.T) {
	const server, client = "server", "client"
	for _, c := range []struct{ about, side, frames, part, function string }{
		{
			"a system call is the part of Go's way to it, whoever made it", client,
			"internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.Syscall syscall.read syscall.Read internal/poll.ignoringEINTRIO internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read bufio.(*Reader).fill google.golang.org/grpc/internal/transport.(*http2Client).reader runtime.goexit",
			"read", "google.golang.org/grpc/internal/transport.(*http2Client).reader",
		},
		{
			"so is one that sends", server,
			"internal/runtime/syscall/linux.Syscall6 syscall.write internal/poll.(*FD).Write net.(*conn).Write bufio.(*Writer).Flush net/rpc.(*gobServerCodec).WriteResponse runtime.goexit",
			"write", "net/rpc.(*gobServerCodec).WriteResponse",
		},
		{"netpoll makes its own", server, "internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall github.com/cloudwego/netpoll.writev github.com/cloudwego/netpoll.sendmsg github.com/cloudwego/netpoll.(*connection).flush", "write", "github.com/cloudwego/netpoll.(*connection).flush"},
		{"a lock of a descriptor is a part of the way to read", client, "internal/poll.(*fdMutex).rwlock internal/poll.(*FD).readLock internal/poll.(*FD).Read", "read", "internal/poll.(*FD).readLock"},
		{"the scheduler looks for sockets that are ready", client, "internal/runtime/syscall/linux.EpollWait runtime.netpoll runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall", "poll", "internal/runtime/syscall/linux.EpollWait"},
		{"to wait for one is to sleep", client, "runtime.casgstatus runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait", "scheduler", "runtime.casgstatus"},
		{"what is neither read nor write is another system call", client, "internal/runtime/syscall/linux.Syscall6 syscall.setsockopt net.setKeepAlive", "syscalls", "syscall.setsockopt"},
		{"a futex of a thread that goes to sleep is the scheduler's", client, "runtime.futex runtime.futexsleep runtime.notesleep runtime.mPark runtime.stopm runtime.findRunnable runtime.schedule", "scheduler", "runtime.futexsleep"},
		{"so is a lock of the scheduler", client, "runtime.procyield runtime.lock2 runtime.findRunnable runtime.schedule", "scheduler", "runtime.findRunnable"},
		{"and the start of a goroutine", server, "runtime.runqput runtime.newproc.func1 runtime.systemstack runtime.newproc google.golang.org/grpc.(*Server).serveStreams", "scheduler", "google.golang.org/grpc.(*Server).serveStreams"},
		{"and a thread between goroutines", server, "runtime.someNewHelper runtime.mstart0", "scheduler", "runtime.mstart0"},
		{"and a goroutine that has ended", server, "runtime.goexit", "scheduler", "runtime.goexit"},
		{"the copy of a stack is the stack's, with the maps of its frames", server, "runtime.pcvalue runtime.(*stkframe).getStackMap runtime.adjustframe runtime.copystack runtime.newstack runtime.morestack google.golang.org/grpc.(*Server).processUnaryRPC", "stacks", "google.golang.org/grpc.(*Server).processUnaryRPC"},
		{"so is the move of its bytes", server, "runtime.memmove runtime.copystack runtime.newstack", "stacks", "runtime.copystack"},
		{"the same maps in the collector are the collector's", server, "runtime.pcvalue runtime.(*stkframe).getStackMap runtime.scanframeworker runtime.scanstack runtime.markroot runtime.gcDrain", "collector", "runtime.scanframeworker"},
		{"what a collection asks of who allocates is the collector's", client, "runtime.scanobject runtime.gcDrainN runtime.gcAssistAlloc runtime.mallocgc runtime.newobject github.com/smallnest/rpcx/client.(*Client).Go", "collector", "github.com/smallnest/rpcx/client.(*Client).Go"},
		{"so is a barrier in assembly", client, "gcWriteBarrier net/rpc.(*Client).send", "collector", "net/rpc.(*Client).send"},
		{"memory that is cleared for an object is its allocation", client, "runtime.memclrNoHeapPointers runtime.mallocgcLarge runtime.mallocgc runtime.makeslice google.golang.org/protobuf/proto.MarshalOptions.marshal", "allocation", "google.golang.org/protobuf/proto.MarshalOptions.marshal"},
		{"so is what append copies", client, "runtime.memmove runtime.growslice encoding/gob.(*encBuffer).Write", "allocation", "encoding/gob.(*encBuffer).Write"},
		{"and a pool", client, "sync.(*Pool).Get google.golang.org/grpc/mem.(*tieredBufferPool).Get", "allocation", "sync.(*Pool).Get"},
		{"a copy that code asks for is a move", client, "runtime.memmove google.golang.org/protobuf/internal/impl.consumeBytes", "moves", "google.golang.org/protobuf/internal/impl.consumeBytes"},
		{"a lock of a mutex", client, "internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock github.com/lesismal/arpc.(*Client).Call", "locks", "github.com/lesismal/arpc.(*Client).Call"},
		{"and of a channel", client, "runtime.unlock2 runtime.chansend runtime.chansend1 github.com/lesismal/arpc.(*Client).Call", "locks", "github.com/lesismal/arpc.(*Client).Call"},
		{"a clock", client, "runtime.nanotime1 runtime.nanotime time.runtimeNano time.Since", "timers", "runtime.nanotime1"},
		{"a context with a deadline", client, "runtime.(*timers).addHeap runtime.(*timer).maybeAdd time.newTimer time.AfterFunc context.WithDeadlineCause", "timers", "runtime.(*timers).addHeap"},
		{"a serializer with its reflection", client, "reflect.Value.Field encoding/gob.encStruct", "serializer", "encoding/gob.encStruct"},
		{"grpc's codec is the serializer's", client, "google.golang.org/grpc/encoding/proto.(*codecV2).Marshal google.golang.org/grpc.encode", "serializer", "google.golang.org/grpc/encoding/proto.(*codecV2).Marshal"},
		{"HTTP/2 of grpc", client, "internal/runtime/maps.ctrlGroup.matchH2 runtime.mapaccess2 golang.org/x/net/http2/hpack.(*Encoder).WriteField", "framing", "golang.org/x/net/http2/hpack.(*Encoder).WriteField"},
		{"so is the hash of a key of its map, which the compiler made", client, "type:.hash.golang.org/x/net/http2/hpack.pairNameValue runtime.mapaccess2 golang.org/x/net/http2/hpack.(*headerFieldTable).search", "framing", "golang.org/x/net/http2/hpack.(*headerFieldTable).search"},
		{"a switch of goroutines in assembly", client, "gogo", "scheduler", "gogo"},
		{"HTTP of Go", server, "strings.ToLower net/http.(*conn).serve", "framing", "net/http.(*conn).serve"},
		{"compression", server, "compress/flate.(*compressor).deflate compress/gzip.(*Writer).Write", "compression", "compress/flate.(*compressor).deflate"},
		{"encryption, whatever assembly does it", server, "crypto/internal/fips140/aes/gcm.gcmAesEnc crypto/tls.(*Conn).Write", "tls", "crypto/internal/fips140/aes/gcm.gcmAesEnc"},
		{"a framework's own code, with what it sorts and formats", client, "strconv.FormatInt fmt.Sprintf github.com/cloudwego/kitex/pkg/rpcinfo.NewRPCInfo", "framework", "github.com/cloudwego/kitex/pkg/rpcinfo.NewRPCInfo"},
		{"our code on the server is the handler", server, "github.com/rpcbench/rpcbench/frameworks/grpc.(*server).Echo google.golang.org/grpc.(*Server).processUnaryRPC", "handler", "github.com/rpcbench/rpcbench/frameworks/grpc.(*server).Echo"},
		{"and on the client the load", client, "github.com/rpcbench/rpcbench/loadgen.(*run).loop", "load", "github.com/rpcbench/rpcbench/loadgen.(*run).loop"},
		{"raw TCP is our framework", client, "github.com/rpcbench/rpcbench/frameworks/tcp.(*link).call", "framework", "github.com/rpcbench/rpcbench/frameworks/tcp.(*link).call"},
		{"memory of a stack that grows is the stack's, though the heap has it", server, "runtime.(*mheap).allocSpan runtime.(*mheap).allocManual runtime.stackpoolalloc runtime.stackcacherefill runtime.stackalloc runtime.copystack", "stacks", "runtime.stackpoolalloc"},
		{"a stack that could not be walked is unknown", server, "runtime._ExternalCode", "rest", "runtime._ExternalCode"},
		{"code that nobody has written down", server, "acme.com/rpc.(*Server).serve runtime.goexit", "rest", "acme.com/rpc.(*Server).serve"},
		{"of Go's library that nothing is known of belongs to who calls it", server, "archive/tar.(*Reader).Next google.golang.org/grpc.(*Server).handleStream", "framework", "google.golang.org/grpc.(*Server).handleStream"},
		{"even if a framework that is known calls it", server, "strings.ToLower acme.com/names.Of google.golang.org/grpc.(*Server).handleStream", "rest", "acme.com/names.Of"},
	} {
		assert.Equal(t, Place{c.part, c.function}, NewTable(nil).Of(c.side, strings.Fields(c.frames)), c.about)
	}
}

// TestLinesOfUsers: a line that is added to the table is one of it.
func TestLinesOfUsers(t *testing.T) {
	of := NewTable(map[string]string{"acme.com/rpc": "framework", "acme.com/rpc/wire": "framing"})
	assert.Equal(t, "framework", of.Of("server", []string{"acme.com/rpc.(*Server).serve"}).Part)
	assert.Equal(t, "framing", of.Of("server", []string{"acme.com/rpc/wire.Read", "acme.com/rpc.(*Server).serve"}).Part)
}

// TestRules: each rule has a part that there is, and stands once, so that none hides another.
func TestRules(t *testing.T) {
	var names []string
	for _, p := range Parts() {
		names = append(names, p.Name)
	}
	seen := map[string]bool{}
	for _, r := range rules() {
		assert.Contains(t, append(names, neutral, ours), r.part, r.begins)
		assert.False(t, seen[r.begins], "two rules begin with %q", r.begins)
		seen[r.begins] = true
	}
	for _, name := range names {
		inTable := slices.ContainsFunc(rules(), func(r rule) bool { return r.part == name })
		assert.True(t, inTable || name == "rest" || name == "handler" || name == "load", "no rule has %s", name)
	}
}
