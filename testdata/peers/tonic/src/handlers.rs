//! What the calls and streams are answered with.

use std::pin::Pin;
use std::task::{ready, Context, Poll};

use tokio_stream::Stream;
use tonic::codegen::BoxFuture;
use tonic::server::{StreamingService, UnaryService};
use tonic::{Request, Response, Status, Streaming};

use crate::messages::{BenchMessage, EchoMessage};
use crate::sum::Sum;

/// The reply to a message of Echo.
fn answered(message: EchoMessage) -> Result<EchoMessage, Status> {
    match message.action.as_str() {
        "" | "echo" => Ok(message),
        "fail" => Err(Status::unknown(
            "rpcbench: the request asked for this error",
        )),
        action => Err(Status::unimplemented(format!(
            "rpcbench: not implemented: the action {action}"
        ))),
    }
}

pub struct Echo;

impl UnaryService<EchoMessage> for Echo {
    type Response = EchoMessage;
    type Future = BoxFuture<Response<EchoMessage>, Status>;

    fn call(&mut self, request: Request<EchoMessage>) -> Self::Future {
        Box::pin(async { answered(request.into_inner()).map(Response::new) })
    }
}

pub struct Message;

impl UnaryService<BenchMessage> for Message {
    type Response = BenchMessage;
    type Future = BoxFuture<Response<BenchMessage>, Status>;

    fn call(&mut self, request: Request<BenchMessage>) -> Self::Future {
        Box::pin(async {
            let mut message = request.into_inner();
            message.field1 = "OK".to_owned();
            message.field2 = 100;
            Ok(Response::new(message))
        })
    }
}

pub struct Streams;

impl StreamingService<EchoMessage> for Streams {
    type Response = EchoMessage;
    type ResponseStream = Answers;
    type Future = BoxFuture<Response<Answers>, Status>;

    fn call(&mut self, request: Request<Streaming<EchoMessage>>) -> Self::Future {
        let messages = request.into_inner();
        Box::pin(async {
            Ok(Response::new(Answers {
                messages,
                sum: Sum::default(),
            }))
        })
    }
}

/// The answers to the messages of a stream: it takes one when there is room for the answer.
pub struct Answers {
    messages: Streaming<EchoMessage>,
    sum: Sum,
}

impl Stream for Answers {
    type Item = Result<EchoMessage, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Some(message) = ready!(Pin::new(&mut self.messages).poll_next(context)?) else {
                return Poll::Ready(None);
            };
            match message.action.as_str() {
                "sink" => self.sum.add(&message.msg),
                "sum" => {
                    let msg = self.sum.encode();
                    return Poll::Ready(Some(Ok(EchoMessage {
                        action: message.action,
                        msg,
                    })));
                }
                _ => return Poll::Ready(Some(answered(message))),
            }
        }
    }
}
