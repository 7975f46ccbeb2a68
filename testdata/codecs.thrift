// The messages of the serializers. Without defaults, which would take the
// presence from optional fields.
namespace go thrift

struct Bench {
  1: required string field1;
  2: required i32 field2;
  3: required i32 field3;
  4: optional string field4;
  5: optional list<i64> field5;
  6: optional i32 field6;
  7: optional string field7;
  9: optional string field9;
  12: optional bool field12;
  13: optional bool field13;
  14: optional bool field14;
  16: optional i32 field16;
  17: optional bool field17;
  18: optional string field18;
  22: optional i64 field22;
  23: optional i32 field23;
  24: optional bool field24;
  25: optional i32 field25;
  29: optional i32 field29;
  30: optional bool field30;
  59: optional bool field59;
  60: optional i32 field60;
  67: optional i32 field67;
  68: optional i32 field68;
  78: optional bool field78;
  80: optional bool field80;
  81: optional bool field81;
  100: optional i32 field100;
  101: optional i32 field101;
  102: optional string field102;
  103: optional string field103;
  104: optional i32 field104;
  128: optional i32 field128;
  129: optional string field129;
  130: optional i32 field130;
  131: optional i32 field131;
  150: optional i32 field150;
  271: optional i32 field271;
  272: optional i32 field272;
  280: optional i32 field280;
}

// Flat is the bench message without presence.
struct Flat {
  1: string field1;
  2: i32 field2;
  3: i32 field3;
  4: string field4;
  5: list<i64> field5;
  6: i32 field6;
  7: string field7;
  9: string field9;
  12: bool field12;
  13: bool field13;
  14: bool field14;
  16: i32 field16;
  17: bool field17;
  18: string field18;
  22: i64 field22;
  23: i32 field23;
  24: bool field24;
  25: i32 field25;
  29: i32 field29;
  30: bool field30;
  59: bool field59;
  60: i32 field60;
  67: i32 field67;
  68: i32 field68;
  78: bool field78;
  80: bool field80;
  81: bool field81;
  100: i32 field100;
  101: i32 field101;
  102: string field102;
  103: string field103;
  104: i32 field104;
  128: i32 field128;
  129: string field129;
  130: i32 field130;
  131: i32 field131;
  150: i32 field150;
  271: i32 field271;
  272: i32 field272;
  280: i32 field280;
}

struct Small {
  1: i64 id;
  2: string name;
  3: bool active;
  4: double score;
}

// Next is what Small becomes in a later release.
struct Next {
  1: i64 id;
  2: string name;
  3: bool active;
  4: double score;
  5: string note;
  6: list<i64> marks;
  7: Label label;
}

struct Label {
  1: string key;
  2: string val;
}

struct Item {
  1: i64 id;
  2: string name;
  3: double price;
  4: i32 flags;
  5: bool active;
  6: list<Label> labels;
  7: list<i64> vals;
  8: binary blob;
}

struct Large {
  1: string id;
  2: i64 ts;
  3: list<Item> items;
}

// Mapped is for what is particular to maps.
struct Mapped {
  1: map<string, string> entries;
}
