package frozen

import "github.com/rpcbench/rpcbench/frameworks/rpcx/frozen/internal/pb"

// assign makes dst the same message as src without copying strings, as today's adapter does.
// Proto.Merge would copy deeply, which handlers of other frameworks need not.
func assign(dst, src *pb.BenchMessage) {
	dst.Field1, dst.Field2, dst.Field3, dst.Field4 = src.Field1, src.Field2, src.Field3, src.Field4
	dst.Field5, dst.Field6, dst.Field7, dst.Field9 = src.Field5, src.Field6, src.Field7, src.Field9
	dst.Field12, dst.Field13, dst.Field14, dst.Field16 = src.Field12, src.Field13, src.Field14, src.Field16
	dst.Field17, dst.Field18, dst.Field22, dst.Field23 = src.Field17, src.Field18, src.Field22, src.Field23
	dst.Field24, dst.Field25, dst.Field29, dst.Field30 = src.Field24, src.Field25, src.Field29, src.Field30
	dst.Field59, dst.Field60, dst.Field67, dst.Field68 = src.Field59, src.Field60, src.Field67, src.Field68
	dst.Field78, dst.Field80, dst.Field81, dst.Field100 = src.Field78, src.Field80, src.Field81, src.Field100
	dst.Field101, dst.Field102, dst.Field103, dst.Field104 = src.Field101, src.Field102, src.Field103, src.Field104
	dst.Field128, dst.Field129, dst.Field130, dst.Field131 = src.Field128, src.Field129, src.Field130, src.Field131
	dst.Field150, dst.Field271, dst.Field272, dst.Field280 = src.Field150, src.Field271, src.Field272, src.Field280
}
