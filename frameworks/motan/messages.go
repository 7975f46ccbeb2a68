package motan

import (
	"reflect"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/motan/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// messages are the messages of a serializer. Arguments and replies are what
// motan-go is given: a reply is a pointer to what it decodes into.
type messages interface {
	echo(framework.EchoMessage) (argument any)
	newEcho() (reply any)
	echoOf(reply any) framework.EchoMessage
	bench() (argument any)
	newBench() (reply any)
	benchOf(reply any) (field1 string, field2 int32, native any)
	service() any // a pointer, whose methods are called
}

// protobufs are protobuf-go's messages.
type protobufs struct{}

func (protobufs) echo(m framework.EchoMessage) any {
	return &pb.EchoMessage{Action: m.Action, Msg: m.Msg}
}

func (protobufs) newEcho() any { return new(pb.EchoMessage) }

func (protobufs) echoOf(reply any) framework.EchoMessage {
	m := reply.(*pb.EchoMessage)
	return framework.EchoMessage{Action: m.Action, Msg: m.Msg}
}

func (protobufs) bench() any { return framework.Filled[pb.BenchMessage](1)[0] }

func (protobufs) newBench() any { return new(pb.BenchMessage) }

func (protobufs) benchOf(reply any) (string, int32, any) {
	m := reply.(*pb.BenchMessage)
	return m.GetField1(), m.GetField2(), m
}

func (protobufs) service() any { return &protobufService{} }

// protobufService has a result of no certain type, to be able to return an
// error: see provider.
type protobufService struct{}

// Echo sends the request back.
func (*protobufService) Echo(req *pb.EchoMessage) any {
	if err := framework.HandleEcho(req.Action); err != nil {
		return err
	}
	return &pb.EchoMessage{Action: req.Action, Msg: req.Msg}
}

// Message answers the bench message.
func (*protobufService) Message(req *pb.BenchMessage) any {
	req.Field1, req.Field2 = proto.String(framework.AnswerField1), proto.Int32(framework.AnswerField2)
	return req
}

// maps are messages by the names of their fields, as motan's serializer
// "simple" has structures.
type maps struct{}

// decoded is what motan-go decodes a map as.
type decoded = map[any]any

func (maps) echo(m framework.EchoMessage) any {
	return map[string]any{"action": m.Action, "msg": m.Msg}
}

func (maps) newEcho() any { return new(decoded) }

func (maps) echoOf(reply any) framework.EchoMessage {
	m := *reply.(*decoded)
	action, _ := m["action"].(string)
	msg, _ := m["msg"].([]byte)
	return framework.EchoMessage{Action: action, Msg: msg}
}

func (maps) bench() any {
	v := reflect.ValueOf(framework.Filled[pb.BenchMessage](1)[0]).Elem()
	m := map[string]any{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type.Kind() == reflect.Pointer {
			m[f.Name] = v.Field(i).Elem().Interface()
		}
	}
	return m
}

func (maps) newBench() any { return new(decoded) }

func (maps) benchOf(reply any) (string, int32, any) {
	m := *reply.(*decoded)
	field1, _ := m["Field1"].(string)
	field2, _ := m["Field2"].(int32)
	return field1, field2, structured(m)
}

// structured is a bench message as a map.
type structured decoded

// Struct implements framework.Structured. A field that is absent, or of another
// type, stays empty.
func (s structured) Struct() any {
	m := new(pb.BenchMessage)
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		value := reflect.ValueOf(s[v.Type().Field(i).Name])
		if value.IsValid() && f.Kind() == reflect.Pointer && f.Type().Elem() == value.Type() {
			f.Set(reflect.New(value.Type()))
			f.Elem().Set(value)
		}
	}
	return m
}

func (maps) service() any { return &mapService{} }

type mapService struct{}

// Echo sends the request back.
func (*mapService) Echo(req decoded) any {
	action, _ := req["action"].(string)
	if err := framework.HandleEcho(action); err != nil {
		return err
	}
	return decoded{"action": req["action"], "msg": req["msg"]}
}

// Message answers the bench message.
func (*mapService) Message(req decoded) any {
	req["Field1"], req["Field2"] = framework.AnswerField1, int32(framework.AnswerField2)
	return req
}
