package kitex

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/generic"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

var genericMap = kind{
	name:     "generic-map",
	about:    "generic calls of map[string]any on both sides; payloads are []byte; the maps are made and read as they are, not converted to structs",
	register: registerGeneric(func() (generic.Generic, error) { return mapGeneric(idl) }, handleMap),
	connect: func(options []kitexclient.Option) (framework.MessageClient, error) {
		c, err := connectGeneric(func() (generic.Generic, error) { return mapGeneric(clientIDL()) }, options)
		return genericClient{mapStub{c}}, err
	},
}

func mapGeneric(idl string) (generic.Generic, error) {
	p, err := plainIDL(idl)
	if err != nil {
		return nil, err
	}
	g, err := generic.MapThriftGeneric(p)
	if err != nil {
		return nil, err
	}
	return g, generic.SetBinaryWithByteSlice(g, true)
}

// handleMap is the handler of the service over maps.
func handleMap(method string, request any) (any, error) {
	m := request.(map[string]any)
	switch method {
	case methodEcho:
		msg, _ := m["msg"].([]byte)
		msg, err := handler.Echo(m["action"].(string), msg)
		return map[string]any{"action": m["action"], "msg": msg}, err
	case methodMessage:
		m["field1"], m["field2"] = message.AnswerField1, int32(message.AnswerField2)
		return m, nil
	}
	return nil, errNoMethod
}

// mapStub makes calls with maps.
type mapStub struct{ genericConn }

func (s mapStub) echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
	request := map[string]any{"action": m.Action, "msg": m.Msg}
	return func(ctx context.Context) (framework.EchoMessage, error) {
		reply, err := s.call(ctx, method, request)
		if err != nil {
			return framework.EchoMessage{}, err
		}
		fields := reply.(map[string]any)
		action, _ := fields["action"].(string)
		msg, _ := fields["msg"].([]byte)
		return framework.EchoMessage{Action: action, Msg: msg}, nil
	}
}

func (s mapStub) message() (messageCall, func(number int64)) {
	request := thrift.NewBenchMessage()
	message.Fill(request)
	fields := mapOf(request)
	return func(ctx context.Context) (benchReply, error) {
		reply, err := s.call(ctx, methodMessage, fields)
		if err != nil {
			return nil, err
		}
		return benchMap(reply.(map[string]any)), nil
	}, func(n int64) { fields["field22"] = n }
}

// mapOf returns the fields of a generated message by their names in the IDL. Fields
// without a value are left out.
func mapOf(message any) map[string]any {
	fields := map[string]any{}
	v := reflect.ValueOf(message).Elem()
	for i := range v.NumField() {
		f := reflect.Indirect(v.Field(i))
		if f.IsValid() && (f.Kind() != reflect.Slice || !f.IsNil()) {
			fields[strings.ToLower(v.Type().Field(i).Name)] = f.Interface()
		}
	}
	return fields
}

// benchMap is a decoded bench message.
type benchMap map[string]any

// GetField1 returns field1, "" if it is absent.
func (m benchMap) GetField1() string { s, _ := m["field1"].(string); return s }

// GetField2 returns field2, 0 if it is absent.
func (m benchMap) GetField2() int32 { n, _ := m["field2"].(int32); return n }

// Number implements message.Numbered.
func (m benchMap) Number() int64 { n, _ := m["field22"].(int64); return n }

// Struct implements message.Structured.
func (m benchMap) Struct() any {
	text, err := json.Marshal(m)
	if err != nil {
		return new(thrift.BenchMessage)
	}
	return benchText(text).Struct()
}
