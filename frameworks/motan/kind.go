package motan

import (
	"reflect"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/motan/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// kind is the kind of messages of a serializer. Arguments and replies have the types
// that motan-go is given: a reply is a pointer to the value that it decodes into.
type kind interface {
	newEcho(framework.EchoMessage) (argument any)
	echoReply() any
	get(reply any) framework.EchoMessage
	newBench() (argument any, number func(int64))
	benchReply() any
	answered(reply any) (field1 string, field2 int32, native any)
	service() any // a pointer whose methods are called
}

// protobufs handles protobuf-go's messages.
type protobufs struct{}

func (protobufs) newEcho(m framework.EchoMessage) any {
	return &pb.EchoMessage{Action: m.Action, Msg: m.Msg}
}

func (protobufs) echoReply() any { return new(pb.EchoMessage) }

func (protobufs) get(reply any) framework.EchoMessage {
	m := reply.(*pb.EchoMessage)
	return framework.EchoMessage{Action: m.Action, Msg: m.Msg}
}

func (protobufs) newBench() (any, func(int64)) {
	m := message.Filled[pb.BenchMessage](1)[0]
	number := message.NumberOf(m)
	return m, func(n int64) { *number = n }
}

func (protobufs) benchReply() any { return new(pb.BenchMessage) }

func (protobufs) answered(reply any) (string, int32, any) {
	m := reply.(*pb.BenchMessage)
	return m.GetField1(), m.GetField2(), m
}

func (protobufs) service() any { return &protobufService{} }

func (protobufs) handleEcho(req *pb.EchoMessage) (*pb.EchoMessage, error) {
	reply, err := handler.Echo(req.Action, req.Msg)
	if err != nil {
		return nil, err
	}
	return &pb.EchoMessage{Action: req.Action, Msg: reply}, nil
}

func (protobufs) handleMessage(req *pb.BenchMessage) (*pb.BenchMessage, error) {
	req.Field1, req.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	return req, nil
}

// protobufService has methods that return any, see result.
type protobufService struct{ kind protobufs }

// Echo sends the request back.
func (s *protobufService) Echo(req *pb.EchoMessage) any { return result(s.kind.handleEcho(req)) }

// Message answers the bench message.
func (s *protobufService) Message(req *pb.BenchMessage) any {
	return result(s.kind.handleMessage(req))
}

// result returns the only result that a method may have: its error, if it has one, or
// its reply. See failing.
func result[M any](reply M, err error) any {
	if err != nil {
		return err
	}
	return reply
}

// maps handles messages that are maps of fields by name, which is how motan's
// serializer "simple" sends structures.
type maps struct{}

// decoded is the type into which motan-go decodes a map.
type decoded = map[any]any

func (maps) newEcho(m framework.EchoMessage) any {
	return map[string]any{"action": m.Action, "msg": m.Msg}
}

func (maps) echoReply() any { return new(decoded) }

func (maps) get(reply any) framework.EchoMessage {
	m := *reply.(*decoded)
	action, _ := m["action"].(string)
	msg, _ := m["msg"].([]byte)
	return framework.EchoMessage{Action: action, Msg: msg}
}

func (maps) newBench() (any, func(int64)) {
	v := reflect.ValueOf(message.Filled[pb.BenchMessage](1)[0]).Elem()
	m := map[string]any{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type.Kind() == reflect.Pointer {
			m[f.Name] = v.Field(i).Elem().Interface()
		}
	}
	return m, func(n int64) { m["Field22"] = n }
}

func (maps) benchReply() any { return new(decoded) }

func (maps) answered(reply any) (string, int32, any) {
	m := *reply.(*decoded)
	field1, _ := m["Field1"].(string)
	field2, _ := m["Field2"].(int32)
	return field1, field2, structured(m)
}

// structured is a bench message as a map.
type structured decoded

// Number implements message.Numbered.
func (s structured) Number() int64 { n, _ := s["Field22"].(int64); return n }

// Struct implements message.Structured. Fields that are absent or of another type
// stay empty.
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

func (maps) handleEcho(req decoded) (decoded, error) {
	action, _ := req["action"].(string)
	msg, _ := req["msg"].([]byte)
	reply, err := handler.Echo(action, msg)
	if err != nil {
		return nil, err
	}
	return decoded{"action": req["action"], "msg": reply}, nil
}

func (maps) handleMessage(req decoded) (decoded, error) {
	req["Field1"], req["Field2"] = message.AnswerField1, int32(message.AnswerField2)
	return req, nil
}

type mapService struct{ kind maps }

// Echo sends the request back.
func (s *mapService) Echo(req decoded) any { return result(s.kind.handleEcho(req)) }

// Message answers the bench message.
func (s *mapService) Message(req decoded) any { return result(s.kind.handleMessage(req)) }
