package kitex

import (
	"context"
	"net/http"
	"strings"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/generic"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

var genericHTTP = httpKind(kind{
	name: "generic-http",
	about: "the client makes generic calls of HTTP requests with JSON bodies and asks for JSON back, as a gateway does;" +
		" the server is an ordinary one of thrift;" + aboutJSON,
}, plainIDL)

var genericHTTPTuned = httpKind(kind{
	name: genericHTTP.name, profile: "tuned", module: "github.com/cloudwego/dynamicgo",
	about: genericHTTP.about + aboutDynamicgo,
}, dynamicgoIDL)

func httpKind(k kind, p provider) kind {
	k.register, k.converts = thriftKind.register, true
	k.connect = func(options []kitexclient.Option) (framework.MessageClient, error) {
		c, err := connectGeneric(func() (generic.Generic, error) { return httpGeneric(p) }, options)
		return genericClient{httpStub{c}}, err
	}
	return k
}

func httpGeneric(p provider) (generic.Generic, error) {
	descriptors, err := p(clientIDL())
	if err != nil {
		return nil, err
	}
	g, err := generic.HTTPThriftGeneric(descriptors, generic.UseRawBodyForHTTPResp(true))
	if err != nil {
		return nil, err
	}
	return g, generic.SetBinaryWithBase64(g, true)
}

// httpStub makes calls with HTTP requests.
type httpStub struct{ genericConn }

func (s httpStub) echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
	text := newEchoText(m)
	request := post(method, text.String())
	return func(ctx context.Context) (framework.EchoMessage, error) {
		text.patch()
		reply, err := s.callHTTP(ctx, method, request)
		if err != nil {
			return framework.EchoMessage{}, err
		}
		return parseEcho(reply)
	}
}

func (s httpStub) message() (messageCall, func(number int64)) {
	text := newNumberedText()
	request := post(methodMessage, text.String())
	return func(ctx context.Context) (benchReply, error) {
		reply, err := s.callHTTP(ctx, methodMessage, request)
		return benchText(reply), err
	}, text.set
}

// callHTTP makes a call with a request and returns the body of the reply. Kitex reads
// and parses the request's body in each call. Compared with package genericclient,
// which looks the method up twice by its path, it saves one of the look-ups.
func (s httpStub) callHTTP(ctx context.Context, method string, request *http.Request) (string, error) {
	r, err := generic.FromHTTPRequest(request)
	if err != nil {
		return "", err
	}
	reply, err := s.call(ctx, method, r)
	if err != nil {
		return "", err
	}
	return string(reply.(*generic.HTTPResponse).RawBody), nil
}

func post(method, body string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, "http://localhost/"+method, strings.NewReader(body))
	if err != nil {
		panic(err) // the method's name is not valid in a URL
	}
	return r
}
