package kitex

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unsafe"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/generic"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/tidwall/gjson"
)

const aboutJSON = " payloads are base64, and an echoed one is decoded; of a reply's text only the checked fields are parsed, by gjson"

var genericJSON = jsonKind(kind{
	name:  "generic-json",
	about: "generic calls of JSON text on both sides; the handler parses and replaces single fields;" + aboutJSON,
}, plainIDL)

// Kitex's user guide to generic calls with dynamicgo names it for speed:
// https://www.cloudwego.io/docs/kitex/tutorials/advanced-feature/generic-call/generic-call-dynamicgo/
const aboutDynamicgo = "; dynamicgo converts, which kitex's guide advises for speed"

var genericJSONTuned = jsonKind(kind{
	name: genericJSON.name, profile: "tuned", module: "github.com/cloudwego/dynamicgo",
	about: genericJSON.about + aboutDynamicgo,
}, dynamicgoIDL)

func jsonKind(k kind, p provider) kind {
	open := func(idl string) func() (generic.Generic, error) {
		return func() (generic.Generic, error) {
			descriptors, err := p(idl)
			if err != nil {
				return nil, err
			}
			return generic.JSONThriftGeneric(descriptors) // encodes bytes in base64 by default
		}
	}
	k.converts = true
	k.register = registerGeneric(open(idl), handleJSON)
	k.connect = func(options []kitexclient.Option) (framework.MessageClient, error) {
		c, err := connectGeneric(open(clientIDL()), options)
		return genericClient{jsonStub{c}}, err
	}
	return k
}

// handleJSON is the handler of the service over JSON text.
func handleJSON(method string, request any) (any, error) {
	text := request.(string)
	switch method {
	case methodEcho:
		fields := gjson.GetMany(text, "action", "msg")
		msg, err := answerJSON(fields[0].String(), fields[1])
		return `{"action":` + fields[0].Raw + `,"msg":` + msg + `}`, err
	case methodMessage:
		text = replaceField(text, "field1", strconv.Quote(message.AnswerField1))
		return replaceField(text, "field2", strconv.Itoa(message.AnswerField2)), nil
	}
	return nil, errNoMethod
}

// answerJSON returns the JSON of the payload to answer. The request's is decoded only
// where the answer is another one.
func answerJSON(action string, msg gjson.Result) (string, error) {
	if !handler.Alters(action) {
		_, err := handler.Echo(action, nil)
		return msg.Raw, err
	}
	b, err := base64.StdEncoding.DecodeString(msg.String())
	if err != nil {
		return "", err
	}
	b, err = handler.Echo(action, b)
	return strconv.Quote(base64.StdEncoding.EncodeToString(b)), err
}

// replaceField returns the JSON object text with another value of one of its fields.
func replaceField(text, field, value string) string {
	old := gjson.Get(text, field)
	return text[:old.Index] + value + text[old.Index+len(old.Raw):]
}

// jsonStub makes calls with JSON text.
type jsonStub struct{ genericConn }

func (s jsonStub) echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
	request := newEchoText(m)
	return func(ctx context.Context) (framework.EchoMessage, error) {
		request.patch()
		reply, err := s.call(ctx, method, request.String())
		if err != nil {
			return framework.EchoMessage{}, err
		}
		return parseEcho(reply.(string))
	}
}

func (s jsonStub) message() (messageCall, func(number int64)) {
	text := newNumberedText()
	return func(ctx context.Context) (benchReply, error) {
		reply, err := s.call(ctx, methodMessage, text.String())
		if err != nil {
			return nil, err
		}
		return benchText(reply.(string)), nil
	}, text.set
}

// textOf returns a generated message in JSON. Its tags give the fields the names of
// the IDL.
func textOf(message any) string {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // impossible: the message has strings, bytes, numbers and bools only
	}
	return string(text)
}

// echoText is an echo message in JSON.
type echoText struct {
	text []byte
	head []byte // the bytes of the payload that change
	at   int    // of their digits in text
}

// changing is how many bytes of a payload may change from call to call, see
// framework.Client, up to the end of a group of base64's digits.
const changing = 9

func newEchoText(m framework.EchoMessage) *echoText {
	text := textOf(thrifts.NewEcho(m))
	head := m.Msg[:min(changing, len(m.Msg))]
	return &echoText{[]byte(text), head, gjson.Get(text, "msg").Index + len(`"`)}
}

// patch writes the first bytes of the payload, as they are now, into the text.
func (t *echoText) patch() {
	if len(t.head) > 0 {
		base64.StdEncoding.Encode(t.text[t.at:], t.head)
	}
}

// String is the text, which changes with the next patch.
func (t *echoText) String() string { return unsafe.String(unsafe.SliceData(t.text), len(t.text)) }

func benchMessageText() string {
	m := thrift.NewBenchMessage()
	message.Fill(m)
	return textOf(m)
}

// numberedText is a bench message in JSON whose number changes. Every number has as many
// digits.
type numberedText struct {
	text []byte
	at   int // of the number
}

func newNumberedText() *numberedText {
	text := benchMessageText()
	return &numberedText{[]byte(text), gjson.Get(text, "field22").Index}
}

func (t *numberedText) set(number int64) { strconv.AppendInt(t.text[:t.at], number, 10) }

// String is the text, which changes with the next number.
func (t *numberedText) String() string { return unsafe.String(unsafe.SliceData(t.text), len(t.text)) }

// parseEcho decodes an echo message.
func parseEcho(text string) (framework.EchoMessage, error) {
	msg, err := base64.StdEncoding.DecodeString(gjson.Get(text, "msg").String())
	return framework.EchoMessage{Action: gjson.Get(text, "action").String(), Msg: msg}, err
}

// benchText is a bench message in JSON.
type benchText string

// GetField1 parses field1.
func (t benchText) GetField1() string { return gjson.Get(string(t), "field1").String() }

// GetField2 parses field2.
func (t benchText) GetField2() int32 { return int32(gjson.Get(string(t), "field2").Int()) }

// Number implements message.Numbered.
func (t benchText) Number() int64 { return gjson.Get(string(t), "field22").Int() }

// Struct implements message.Structured.
func (t benchText) Struct() any {
	m := new(thrift.BenchMessage)
	if err := json.Unmarshal([]byte(t), m); err != nil {
		return new(thrift.BenchMessage)
	}
	return m
}
