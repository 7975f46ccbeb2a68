package dubbo

import (
	"context"
	"net/http"

	dubboclient "dubbo.apache.org/dubbo-go/v3/client"
	"dubbo.apache.org/dubbo-go/v3/protocol/triple/triple_protocol"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries has the limit of net/http's server, on which Triple runs, and leaves room for other
// headers. Triple does not encode values of any bytes.
func carries() metadata.Means {
	return metadata.Means{
		By: "Triple's AppendToOutgoingContext and WithResponseHeader of the client, and SetHeader of the server", Text: true,
		Most: http.DefaultMaxHeaderBytes - 4<<10, Added: 32,
	}
}

// carried makes a call with metadata, and wants it back.
func (r *reference) carried(ctx context.Context, method string, req, reply any, sent metadata.Entries) error {
	var header http.Header
	ctx = triple_protocol.AppendToOutgoingContext(ctx, sent...)
	if err := r.callUnary(ctx, method, req, reply, dubboclient.WithResponseHeader(&header)); err != nil {
		return err
	}
	return sent.Check(metadata.Lists(header))
}

// returned has a reply carry the metadata of a request.
func returned(ctx context.Context) error {
	came, _ := triple_protocol.FromIncomingContext(ctx)
	return triple_protocol.SetHeader(ctx, metadata.OwnOf(came))
}
