# The messages of the serializers. Cap'n Proto knows no optional numbers and
# bools: they are what Flat has.
@0xd2f3a6c1b0e94c77;

using Go = import "/go.capnp";
$Go.package("schema");
$Go.import("github.com/rpcbench/rpcbench/codecs/adapters/capnp/schema");

struct Flat {
  field1 @0 :Text;
  field2 @1 :Int32;
  field3 @2 :Int32;
  field4 @3 :Text;
  field5 @4 :List(UInt64);
  field6 @5 :Int32;
  field7 @6 :Text;
  field9 @7 :Text;
  field12 @8 :Bool;
  field13 @9 :Bool;
  field14 @10 :Bool;
  field16 @11 :Int32;
  field17 @12 :Bool;
  field18 @13 :Text;
  field22 @14 :Int64;
  field23 @15 :Int32;
  field24 @16 :Bool;
  field25 @17 :Int32;
  field29 @18 :Int32;
  field30 @19 :Bool;
  field59 @20 :Bool;
  field60 @21 :Int32;
  field67 @22 :Int32;
  field68 @23 :Int32;
  field78 @24 :Bool;
  field80 @25 :Bool;
  field81 @26 :Bool;
  field100 @27 :Int32;
  field101 @28 :Int32;
  field102 @29 :Text;
  field103 @30 :Text;
  field104 @31 :Int32;
  field128 @32 :Int32;
  field129 @33 :Text;
  field130 @34 :Int32;
  field131 @35 :Int32;
  field150 @36 :Int32;
  field271 @37 :Int32;
  field272 @38 :Int32;
  field280 @39 :Int32;
}

struct Small {
  id @0 :Int64;
  name @1 :Text;
  active @2 :Bool;
  score @3 :Float64;
}

# Next is what Small becomes in a later release.
struct Next {
  id @0 :Int64;
  name @1 :Text;
  active @2 :Bool;
  score @3 :Float64;
  note @4 :Text;
  marks @5 :List(UInt64);
  label @6 :Label;
}

struct Label {
  key @0 :Text;
  val @1 :Text;
}

struct Item {
  id @0 :Int64;
  name @1 :Text;
  price @2 :Float64;
  flags @3 :Int32;
  active @4 :Bool;
  labels @5 :List(Label);
  vals @6 :List(UInt64);
  blob @7 :Data;
}

struct Large {
  id @0 :Text;
  ts @1 :Int64;
  items @2 :List(Item);
}
