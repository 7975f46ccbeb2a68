package environ

import (
	"slices"
	"strings"
)

// alone are the variables that change the path or the settings of one framework or
// serializer and leave all others as they are. A name that ends in _ stands for all that
// begin so. Most are read before main.
var alone = [...]string{
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", // net/http and grpc go by way of a proxy, all others do not
	"GRPC_", "KITEX_", "USE_CLOUDWEGO_GOPOOL", "RPCX_", "DUBBO_", "TRPC_", "GRACE_RESTART", // the last one is of tars
	"SONIC_", "GOPROTODEBUG", // serializers
	"QUIC_GO_", "QLOGDIR", "DEBUG_HTTP2_GOROUTINES", // transports
	"OTEL_", // what traces and how often, of those that trace with it
}

// harmless are those among them that change no measurement: they name certificates.
var harmless = [...]string{"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"}

// changesOne reports whether a variable changes one framework alone, in capitals or small
// letters.
func changesOne(name string) bool {
	return listed(name, alone[:]) && !listed(name, harmless[:])
}

// listed reports whether a list has a name, or what it begins with.
func listed(name string, list []string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(list, func(l string) bool {
		return name == l || strings.HasSuffix(l, "_") && strings.HasPrefix(name, l)
	})
}
