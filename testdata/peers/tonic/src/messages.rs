//! The messages, as prost-build writes them from testdata/echo.proto and testdata/bench.proto:
//! so nobody needs protoc.

#[derive(Clone, PartialEq, prost::Message)]
pub struct EchoMessage {
    #[prost(string, tag = "1")]
    pub action: String,
    #[prost(bytes = "vec", tag = "2")]
    pub msg: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct BenchMessage {
    #[prost(string, required, tag = "1")]
    pub field1: String,
    #[prost(int32, required, tag = "2")]
    pub field2: i32,
    #[prost(int32, required, tag = "3")]
    pub field3: i32,
    #[prost(string, optional, tag = "4")]
    pub field4: Option<String>,
    #[prost(fixed64, repeated, packed = "false", tag = "5")]
    pub field5: Vec<u64>,
    #[prost(int32, optional, tag = "6", default = "0")]
    pub field6: Option<i32>,
    #[prost(string, optional, tag = "7")]
    pub field7: Option<String>,
    #[prost(string, optional, tag = "9")]
    pub field9: Option<String>,
    #[prost(bool, optional, tag = "12", default = "true")]
    pub field12: Option<bool>,
    #[prost(bool, optional, tag = "13", default = "true")]
    pub field13: Option<bool>,
    #[prost(bool, optional, tag = "14", default = "true")]
    pub field14: Option<bool>,
    #[prost(int32, optional, tag = "16")]
    pub field16: Option<i32>,
    #[prost(bool, optional, tag = "17", default = "true")]
    pub field17: Option<bool>,
    #[prost(string, optional, tag = "18")]
    pub field18: Option<String>,
    #[prost(int64, optional, tag = "22")]
    pub field22: Option<i64>,
    #[prost(int32, optional, tag = "23", default = "0")]
    pub field23: Option<i32>,
    #[prost(bool, optional, tag = "24", default = "false")]
    pub field24: Option<bool>,
    #[prost(int32, optional, tag = "25", default = "0")]
    pub field25: Option<i32>,
    #[prost(int32, optional, tag = "29", default = "0")]
    pub field29: Option<i32>,
    #[prost(bool, optional, tag = "30", default = "false")]
    pub field30: Option<bool>,
    #[prost(bool, optional, tag = "59", default = "false")]
    pub field59: Option<bool>,
    #[prost(int32, optional, tag = "60", default = "-1")]
    pub field60: Option<i32>,
    #[prost(int32, optional, tag = "67", default = "0")]
    pub field67: Option<i32>,
    #[prost(int32, optional, tag = "68")]
    pub field68: Option<i32>,
    #[prost(bool, optional, tag = "78")]
    pub field78: Option<bool>,
    #[prost(bool, optional, tag = "80", default = "false")]
    pub field80: Option<bool>,
    #[prost(bool, optional, tag = "81", default = "true")]
    pub field81: Option<bool>,
    #[prost(int32, optional, tag = "100", default = "0")]
    pub field100: Option<i32>,
    #[prost(int32, optional, tag = "101", default = "0")]
    pub field101: Option<i32>,
    #[prost(string, optional, tag = "102")]
    pub field102: Option<String>,
    #[prost(string, optional, tag = "103")]
    pub field103: Option<String>,
    #[prost(int32, optional, tag = "104", default = "0")]
    pub field104: Option<i32>,
    #[prost(int32, optional, tag = "128", default = "0")]
    pub field128: Option<i32>,
    #[prost(string, optional, tag = "129", default = "xxxxxxxxxxxxxxxxxxxxx")]
    pub field129: Option<String>,
    #[prost(int32, optional, tag = "130", default = "0")]
    pub field130: Option<i32>,
    #[prost(int32, optional, tag = "131", default = "0")]
    pub field131: Option<i32>,
    #[prost(int32, optional, tag = "150")]
    pub field150: Option<i32>,
    #[prost(int32, optional, tag = "271", default = "-1")]
    pub field271: Option<i32>,
    #[prost(int32, optional, tag = "272", default = "-1")]
    pub field272: Option<i32>,
    #[prost(int32, optional, tag = "280")]
    pub field280: Option<i32>,
}
