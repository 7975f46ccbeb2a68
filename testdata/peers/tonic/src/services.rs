//! The services, as tonic-build writes them from testdata/bencher.proto and
//! testdata/streamer.proto.

use std::convert::Infallible;
use std::task::{Context, Poll};

use tonic::body::Body;
use tonic::codegen::{http, BoxFuture, Service};
use tonic::server::{Grpc, NamedService};
use tonic::Status;
use tonic_prost::ProstCodec;

use crate::handlers::{Echo, Message, Streams};

type Request = http::Request<Body>;
type Response = http::Response<Body>;

/// Makes what handles one call. Payloads may have any size.
macro_rules! grpc {
    () => {
        Grpc::new(ProstCodec::default()).max_decoding_message_size(usize::MAX)
    };
}

#[derive(Clone)]
pub struct Bencher;

impl NamedService for Bencher {
    const NAME: &'static str = "rpcbench.Bencher";
}

impl Service<Request> for Bencher {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        Box::pin(async move {
            Ok(match request.uri().path() {
                "/rpcbench.Bencher/Echo" => grpc!().unary(Echo, request).await,
                "/rpcbench.Bencher/Message" => grpc!().unary(Message, request).await,
                _ => Status::unimplemented("").into_http(),
            })
        })
    }
}

#[derive(Clone)]
pub struct Streamer;

impl NamedService for Streamer {
    const NAME: &'static str = "rpcbench.Streamer";
}

impl Service<Request> for Streamer {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        Box::pin(async move {
            Ok(match request.uri().path() {
                "/rpcbench.Streamer/Stream" => grpc!().streaming(Streams, request).await,
                _ => Status::unimplemented("").into_http(),
            })
        })
    }
}
