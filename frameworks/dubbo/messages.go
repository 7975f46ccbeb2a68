package dubbo

import hessian "github.com/apache/dubbo-go-hessian2"

// The messages are those of the Java peer in testdata/peers/dubbo-3.3. Their fields
// have no presence, because fields of Java's primitive types have none.

// EchoMessage is the echo message.
type EchoMessage struct {
	Action string
	Msg    []byte
}

// JavaClassName implements hessian.POJO.
func (*EchoMessage) JavaClassName() string { return "rpcbench.EchoMessage" }

// BenchMessage is the bench message.
type BenchMessage struct {
	Field1   string
	Field2   int32
	Field3   int32
	Field4   string
	Field5   []int64
	Field6   int32
	Field7   string
	Field9   string
	Field12  bool
	Field13  bool
	Field14  bool
	Field16  int32
	Field17  bool
	Field18  string
	Field22  int64
	Field23  int32
	Field24  bool
	Field25  int32
	Field29  int32
	Field30  bool
	Field59  bool
	Field60  int32
	Field67  int32
	Field68  int32
	Field78  bool
	Field80  bool
	Field81  bool
	Field100 int32
	Field101 int32
	Field102 string
	Field103 string
	Field104 int32
	Field128 int32
	Field129 string
	Field130 int32
	Field131 int32
	Field150 int32
	Field271 int32
	Field272 int32
	Field280 int32
}

// JavaClassName implements hessian.POJO.
func (*BenchMessage) JavaClassName() string { return "rpcbench.BenchMessage" }

func init() {
	hessian.RegisterPOJO(new(EchoMessage))
	hessian.RegisterPOJO(new(BenchMessage))
}
