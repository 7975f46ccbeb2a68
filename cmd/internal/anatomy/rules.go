package anatomy

// rule gives a part to the functions whose full names begin with a text. Of several rules the
// longest text counts.
type rule struct {
	begins string
	part   string
	weak   bool
}

// Two words stand in the place of a part. What is neutral belongs to who calls it. What is ours
// is the handler's on the server, and the load generator's on the client.
const (
	neutral = "neutral"
	ours    = "ours"
)

// strong rules name a part wherever the function stands.
func strong(part string, begins ...string) (list []rule) {
	for _, b := range begins {
		list = append(list, rule{begins: b, part: part})
	}
	return list
}

// weak rules are of small helpers of the runtime. They name a part only where nothing else in
// the runtime called them: a lock of the scheduler belongs to the scheduler, and the
// copy that a growing stack makes to the stack.
func weak(part string, begins ...string) []rule {
	list := strong(part, begins...)
	for i := range list {
		list[i].weak = true
	}
	return list
}

// rules are the table of parts. A new framework is a line in frameworks; a new serializer is
// one in serializers.
func rules() (list []rule) {
	for _, some := range [][]rule{kernel(), goroutines(), memory(), waiting(), library(), serializers(), frameworks(), own()} {
		list = append(list, some...)
	}
	return list
}

// kernel has the system calls. Go's way to one is a part of it: locks of descriptors, the
// states of a goroutine, and what the scheduler has to know. The kernel's own work for a
// connection is in it too, up to the other side's socket on the same machine.
func kernel() (list []rule) {
	add := func(part string, begins ...string) { list = append(list, strong(part, begins...)...) }
	add("read", "syscall.read", "syscall.Read", "syscall.recv", "syscall.Recv", "internal/poll.(*FD).Read", "internal/poll.(*FD).Pread",
		"internal/poll.(*FD).readLock", "internal/poll.(*FD).readUnlock", "net.(*conn).Read", "net.(*netFD).Read", "net.(*netFD).read", "os.(*File).Read",
		"golang.org/x/sys/unix.Read", "golang.org/x/sys/unix.Recv", "golang.org/x/sys/unix.read",
		"github.com/cloudwego/netpoll.readv", "github.com/cloudwego/netpoll.ioread")
	add("write", "syscall.write", "syscall.Write", "syscall.send", "syscall.Send", "internal/poll.(*FD).Write", "internal/poll.(*FD).write", "internal/poll.(*FD).Pwrite",
		"internal/poll.writev", "net.(*conn).Write", "net.(*netFD).Write", "net.(*netFD).write", "net.(*Buffers)", "net.(*conn).writeBuffers", "os.(*File).Write",
		"golang.org/x/sys/unix.Write", "golang.org/x/sys/unix.Send", "golang.org/x/sys/unix.write",
		"github.com/cloudwego/netpoll.writev", "github.com/cloudwego/netpoll.sendmsg", "github.com/cloudwego/netpoll.iosend")
	// Epoll is what Go, netpoll and nbio wait with on Linux.
	add("poll", "runtime.netpoll", "internal/poll.runtime_poll", "internal/poll.(*pollDesc)",
		"internal/runtime/syscall/linux.Epoll", "syscall.Epoll", "golang.org/x/sys/unix.Epoll",
		"github.com/cloudwego/netpoll.epollwait", "github.com/cloudwego/netpoll.EpollWait")
	add("syscalls", "syscall.", "internal/poll.", "net.", "os.", "internal/syscall/unix.", "golang.org/x/sys/unix.")
	// These pass a call on, and which call it is stands above them.
	add(neutral, "syscall.Syscall", "syscall.RawSyscall", "syscall.rawSyscall", "syscall.rawVforkSyscall", "syscall.runtime_", "syscall.errnoErr",
		"internal/runtime/syscall", "internal/poll.ignoringEINTR", "runtime.entersyscall", "runtime.exitsyscall", "runtime.reentersyscall",
		"internal/poll.(*fdMutex)", "net.JoinHostPort", "net.SplitHostPort", "net.ParseIP", "net.IP", "net.(*TCPAddr)", "net.(*conn).LocalAddr", "net.(*conn).RemoteAddr", "net/netip", "os.Getenv", "os/")
	return list
}

// goroutines has the scheduler and the stacks.
func goroutines() (list []rule) {
	list = strong("scheduler", "runtime.schedule", "runtime.findRunnable", "runtime.park_m", "runtime.mcall", "runtime.gopark", "runtime.goparkunlock",
		"runtime.goready", "runtime.ready", "runtime.newproc", "runtime.goexit0", "runtime.goexit1", "runtime.newm", "runtime.gdestroy", "runtime.gosched", "runtime.goyield",
		"runtime.wakep", "runtime.startm", "runtime.stopm", "runtime.mPark", "runtime.note", "runtime.futexsleep", "runtime.futexwakeup", "runtime.runq", "runtime.globrunq",
		"runtime.stealWork", "runtime.execute", "runtime.gogo", "gogo", "runtime.sysmon", "runtime.retake", "runtime.mstart", "runtime.handoffp", "runtime.injectglist",
		"runtime.resetspinning", "runtime.casgstatus", "runtime.pidle", "runtime.preempt", "runtime.asyncPreempt", "runtime.sigtramp", "runtime.sighandler",
		"runtime.doSigPreempt", "runtime.wantAsyncPreempt", "runtime.gfget", "runtime.gfput", "runtime.malg", "runtime.acquirep", "runtime.releasep", "runtime.checkRunqsNoP",
		"runtime.exitsyscall0", "runtime.exitsyscallNoP", "runtime.stoplockedm", "runtime.startlockedm", "runtime.tgkill", "runtime.signalM", "runtime.preemptone",
		"runtime.LockOSThread", "runtime.UnlockOSThread", "runtime.Gosched", "runtime.goschedImpl", "runtime.coro", "runtime.dropg", "runtime.pMask", "runtime.mget", "runtime.mput")
	// A goroutine begins with a small stack. One that needs more has it copied, which takes the
	// maps of all its frames. The collector halves stacks that are little used.
	list = append(list, strong("stacks", "runtime.morestack", "runtime.newstack", "runtime.copystack", "runtime.adjustframe", "runtime.adjustpointers",
		"runtime.shrinkstack", "runtime.stackalloc", "runtime.stackfree", "runtime.stackpool", "runtime.stackcache", "runtime.(*stackmap)")...)
	// Helpers of copystack, of the collector and of panics alike.
	list = append(list, strong(neutral, "runtime.", "runtime.systemstack")...)
	// Stacks that the profiler could not walk.
	list = append(list, strong("rest", "runtime._ExternalCode", "runtime._LostExternalCode", "runtime._LostContendedRuntimeLock", "runtime._LostSIGPROF", "runtime._System")...)
	return append(list, weak("scheduler", "runtime.usleep", "runtime.osyield", "runtime.futex")...)
}

// memory has the heap. A copy that an allocation makes, as of append, is the allocation's.
func memory() (list []rule) {
	list = strong("collector", "gcWriteBarrier", "runtime._GC", "runtime.runCleanups", "runtime.freeStackSpans", "runtime.freeSomeWbufs", "sync.poolCleanup", "runtime.gc", "runtime.scan", "runtime.grey", "runtime.markroot", "runtime.bgsweep", "runtime.sweepone", "runtime.(*sweepLocked)",
		"runtime.(*sweepLocker)", "runtime.(*sweepClass)", "runtime.bgscavenge", "runtime.(*scavenge", "runtime.(*pageAlloc).scavenge", "runtime.wbBuf", "runtime.wbMove", "runtime.wbZero", "runtime.bulkBarrier", "runtime.deductSweepCredit",
		"runtime.(*gcWork)", "runtime.(*gcControllerState)", "runtime.(*workbuf)", "runtime.(*wbBuf)", "runtime.findObject", "runtime.stopTheWorld", "runtime.startTheWorld",
		"runtime.forEachP", "runtime.(*limiterEvent)", "runtime.(*gcCPULimiterState)", "runtime.tryDefer", "runtime.drainMarkWorker", "runtime.spanQueue", "runtime.(*spanQueue",
		"runtime.(*spanInlineMarkBits)", "runtime.(*localSpan", "runtime.tryGetObj", "runtime.getempty", "runtime.putfull", "runtime.trygetfull", "runtime.handoff", "runtime.runfinq", "runtime.runFinalizers",
		"runtime.getpartial", "runtime.clearpools", "runtime.flushmcache", "runtime.flushallmcaches", "runtime.(*activeSweep)", "runtime.(*finishsweep", "runtime.finishsweep", "runtime.shade", "runtime.cgoInRange", "internal/runtime/gc", "runtime.shouldPushWorkerGoroutine")
	list = append(list, strong("allocation", "runtime.malloc", "runtime.newobject", "runtime.newarray", "runtime.makeslice", "runtime.growslice", "runtime.makemap", "runtime.makechan",
		"runtime.rawstring", "runtime.rawbyteslice", "runtime.slicebytetostring", "runtime.stringtoslice", "runtime.slicerunetostring", "runtime.concat", "runtime.convT", "runtime.(*mcache)", "runtime.(*mcentral)",
		"runtime.nextFreeFast", "runtime.deductAssistCredit", "runtime.heapSetType", "runtime.(*mspan).writeHeapBits", "runtime.(*mspan).nextFreeIndex", "runtime.(*mspan).init",
		"runtime.profilealloc", "runtime.mProf", "runtime.newSpecials", "runtime.addspecial", "runtime.SetFinalizer", "runtime.moveSlice", "runtime.freegc",
		// A pool keeps objects so that they need not be allocated.
		"sync.(*Pool)", "sync.(*poolChain)", "sync.(*poolDequeue)", "sync.runtime_procPin", "sync.runtime_procUnpin", "sync.indexLocal",
		"github.com/bytedance/gopkg/lang/mcache", "github.com/bytedance/gopkg/lang/dirtmake", "github.com/cloudwego/gopkg/cache", "github.com/cloudwego/netpoll.malloc", "google.golang.org/grpc/mem", "google.golang.org/grpc/internal/mem", "github.com/valyala/bytebufferpool")...)
	// Stacks and the collector have memory of the heap as well.
	list = append(list, weak("allocation", "runtime.(*mheap)", "runtime.(*pageAlloc)", "runtime.(*fixalloc)", "runtime.persistentalloc", "runtime.sys")...)
	return append(list, weak("moves", "runtime.memmove", "runtime.memclr", "runtime.typedmemmove", "runtime.typedmemclr", "runtime.typedslicecopy", "runtime.slicecopy", "runtime.duffcopy",
		"runtime.duffzero", "reflect.typedmemmove", "reflect.typedslicecopy", "runtime.reflectcallmove")...)
}

// waiting has locks, channels and time.
func waiting() (list []rule) {
	list = strong("locks", "runtime.chan", "runtime.select", "runtime.closechan", "runtime.send", "runtime.recv", "runtime.sem", "runtime.notifyList",
		"runtime.acquireSudog", "runtime.releaseSudog", "runtime.(*rwmutex)", "runtime.(*semaRoot)", "runtime.(*waitq)", "runtime.sellock", "runtime.selunlock", "runtime.cansemacquire", "runtime.readyWithTime", "sync.", "internal/sync.", "golang.org/x/sync")
	list = append(list, weak("locks", "runtime.lock", "runtime.unlock", "runtime.procyield", "runtime.(*mutex)")...)
	list = append(list, strong("timers", "time.", "context.", "internal/poll.setDeadlineImpl", "internal/poll.runtime_pollSetDeadline", "internal/poll.(*FD).SetDeadline",
		"internal/poll.(*FD).SetReadDeadline", "internal/poll.(*FD).SetWriteDeadline", "net.(*conn).SetDeadline", "net.(*conn).SetReadDeadline", "net.(*conn).SetWriteDeadline", "net.(*netFD).Set",
		"runtime.(*timer)", "runtime.(*timers)", "runtime.resetTimer", "runtime.resetForSleep", "runtime.stopTimer", "runtime.goroutineReady")...)
	// Who only formats or adds times does that as its own work.
	list = append(list, strong(neutral, "time.Duration", "time.Time", "time.(*Time)", "sync/atomic.", "sync.(*Once)", "sync.OnceFunc", "sync.(*WaitGroup).Go")...)
	return append(list, weak("timers", "runtime.nanotime", "runtime.walltime", "runtime.time_now", "runtime.vdso", "runtime._VDSO", "runtime.cputicks")...)
}

// library has the parts of Go's library that are known for one thing. The others, as strings,
// maps and reflection, belong to who calls them.
func library() (list []rule) {
	add := func(part string, begins ...string) { list = append(list, strong(part, begins...)...) }
	// HTTP carries the calls of several frameworks, whoever wrote it: Go's own, or grpc's.
	add("framing", "net/http", "net/textproto.", "net/url.", "mime", "vendor/golang.org/x/net", "golang.org/x/net", "internal/http", "vendor/golang.org/x/text", "golang.org/x/text")
	add("compression", "compress/", "github.com/klauspost/compress", "github.com/golang/snappy", "github.com/pierrec/lz4", "github.com/andybalholm/brotli")
	add("tls", "crypto", "vendor/golang.org/x/crypto", "golang.org/x/crypto")
	return list
}

// serializers has what turns messages into bytes and back.
func serializers() []rule {
	return strong("serializer", "encoding/gob.", "encoding/json", "encoding/xml.", "encoding/asn1.",
		"google.golang.org/protobuf", "google.golang.org/grpc/encoding/proto", "google.golang.org/grpc.encode", "google.golang.org/grpc.codec", "google.golang.org/grpc.glueV0", "google.golang.org/genproto", "github.com/golang/protobuf", "github.com/gogo/protobuf", "github.com/planetscale/vtprotobuf", "buf.build/go/hyperpb",
		"github.com/cloudwego/frugal", "github.com/cloudwego/prutal", "github.com/cloudwego/dynamicgo", "github.com/cloudwego/fastpb", "github.com/cloudwego/thriftgo", "github.com/cloudwego/gopkg/protocol/thrift",
		"github.com/cloudwego/kitex/pkg/remote/codec/thrift", "github.com/cloudwego/kitex/pkg/remote/codec/protobuf.", "github.com/cloudwego/kitex/pkg/protocol/bthrift",
		"github.com/apache/thrift/lib/go/thrift.(*TBinaryProtocol)", "github.com/apache/thrift/lib/go/thrift.(*TCompactProtocol)", "github.com/TarsCloud/TarsGo/tars/protocol/codec",
		"github.com/bytedance/sonic", "github.com/goccy/go-json", "github.com/segmentio/encoding", "github.com/json-iterator", "github.com/mailru/easyjson", "github.com/tidwall",
		"github.com/vmihailenco", "github.com/shamaton/msgpack", "github.com/tinylib/msgp", "github.com/fxamacker/cbor", "github.com/apache/dubbo-go-hessian2", "github.com/hamba/avro", "github.com/google/flatbuffers", "github.com/weibocom/motan-go/serialize",
		"github.com/rpcbench/rpcbench/codecs", "github.com/rpcbench/rpcbench/testdata", "github.com/rpcbench/rpcbench/frameworks/kitex/internal/gen")
}

// frameworks has their own code. What only puts messages into frames, and takes them out, is
// framing.
func frameworks() (list []rule) {
	list = strong("framework", "google.golang.org/grpc", "github.com/cloudwego/kitex", "github.com/cloudwego/netpoll", "github.com/cloudwego/gopkg", "github.com/bytedance/gopkg", "github.com/cloudwego/localsession", "github.com/cloudwego/runtimex",
		"github.com/smallnest/rpcx", "github.com/lesismal/arpc", "github.com/lesismal/nbio", "github.com/panjf2000/gnet", "net/rpc", "connectrpc.com", "storj.io/drpc", "github.com/containerd/ttrpc", "github.com/containerd/log", "github.com/apache/thrift",
		"github.com/creachadair/jrpc2", "github.com/TarsCloud/TarsGo", "dubbo.apache.org/dubbo-go", "github.com/dubbogo", "github.com/weibocom/motan-go", "github.com/nats-io", "github.com/zeromicro/go-zero", "github.com/prometheus", "trpc.group",
		"github.com/soheilhy/cmux", "github.com/valyala/fastrand", "github.com/panjf2000/ants", "github.com/alitto/pond", "github.com/rcrowley/go-metrics", "github.com/rs/", "github.com/sirupsen/logrus", "go.uber.org", "go.opentelemetry.io", "github.com/kitex-contrib", "github.com/containerd/otelttrpc", "github.com/zeebo",
		"github.com/rpcbench/rpcbench/frameworks/tcp", "github.com/rpcbench/rpcbench/frameworks/gnet", "github.com/rpcbench/rpcbench/frameworks/netpoll", "github.com/rpcbench/rpcbench/frameworks/nbio", "github.com/rpcbench/rpcbench/frameworks/jkrpc", "github.com/rpcbench/rpcbench/frameworks/brpc")
	return append(list, strong("framing", "google.golang.org/grpc/internal/transport", "google.golang.org/grpc.(*parser)", "google.golang.org/grpc.msgHeader", "google.golang.org/grpc.recvAndDecompress", "google.golang.org/grpc/metadata",
		"github.com/cloudwego/kitex/pkg/remote/codec.", "github.com/cloudwego/kitex/pkg/remote/trans/nphttp2", "github.com/cloudwego/kitex/pkg/remote/transmeta", "github.com/cloudwego/gopkg/protocol/ttheader", "github.com/cloudwego/gopkg/bufiox",
		"github.com/smallnest/rpcx/protocol", "github.com/lesismal/arpc.(*Message)", "github.com/lesismal/arpc.(*Client).parseAddr", "storj.io/drpc/drpcwire", "github.com/containerd/ttrpc.(*channel)", "github.com/apache/thrift/lib/go/thrift.(*TFramed", "github.com/apache/thrift/lib/go/thrift.(*TBuffered", "github.com/apache/thrift/lib/go/thrift.(*THeader",
		"connectrpc.com/connect.(*envelope", "github.com/TarsCloud/TarsGo/tars/protocol.", "github.com/TarsCloud/TarsGo/tars/protocol/res", "github.com/weibocom/motan-go/protocol", "github.com/apache/dubbo-getty", "trpc.group/trpc-go/trpc-go.(*framer)", "trpc.group/trpc-go/trpc-go.(*FrameHead)",
		"github.com/rpcbench/rpcbench/frameworks/netrpc.(*frame", "github.com/rpcbench/rpcbench/frameworks/netrpc.frame", "github.com/rpcbench/rpcbench/frameworks/tcp.(*frame", "github.com/rpcbench/rpcbench/frameworks/tcp.frame", "github.com/rpcbench/rpcbench/frameworks/tcp.(*Session)")...)
}

// own is what this repository does: it prepares, calls, checks and handles, with caches and
// databases in workloads. Programs of others that measure with it have their handlers in main.
func own() []rule {
	return strong(ours, "github.com/rpcbench/rpcbench", "testing.", "main.", "github.com/stretchr/testify", "github.com/HdrHistogram",
		"github.com/hashicorp/golang-lru", "modernc.org", "github.com/jackc", "database/sql")
}
