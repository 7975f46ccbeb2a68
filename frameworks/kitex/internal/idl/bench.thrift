// The messages and the service of bench.proto, echo.proto and bencher.proto,
// with the same field numbers, labels and defaults. The paths are those of the
// generic calls that take HTTP requests.
namespace go bench

struct BenchMessage {
  1: required string field1;
  2: required i32 field2;
  3: required i32 field3;
  4: optional string field4;
  5: optional list<i64> field5;
  6: optional i32 field6 = 0;
  7: optional string field7;
  9: optional string field9;
  12: optional bool field12 = true;
  13: optional bool field13 = true;
  14: optional bool field14 = true;
  16: optional i32 field16;
  17: optional bool field17 = true;
  18: optional string field18;
  22: optional i64 field22;
  23: optional i32 field23 = 0;
  24: optional bool field24 = false;
  25: optional i32 field25 = 0;
  29: optional i32 field29 = 0;
  30: optional bool field30 = false;
  59: optional bool field59 = false;
  60: optional i32 field60 = -1;
  67: optional i32 field67 = 0;
  68: optional i32 field68;
  78: optional bool field78;
  80: optional bool field80 = false;
  81: optional bool field81 = true;
  100: optional i32 field100 = 0;
  101: optional i32 field101 = 0;
  102: optional string field102;
  103: optional string field103;
  104: optional i32 field104 = 0;
  128: optional i32 field128 = 0;
  129: optional string field129 = "xxxxxxxxxxxxxxxxxxxxx";
  130: optional i32 field130 = 0;
  131: optional i32 field131 = 0;
  150: optional i32 field150;
  271: optional i32 field271 = -1;
  272: optional i32 field272 = -1;
  280: optional i32 field280;
}

struct EchoMessage {
  1: string action;
  2: binary msg;
}

service Bencher {
  EchoMessage Echo(1: EchoMessage request) (api.post = "/Echo");
  BenchMessage Message(1: BenchMessage request) (api.post = "/Message");
}
