//! A server of gRPC by tonic, written from frameworks/PROTOCOL.md.
//!
//!     peer PORT
//!
//! It has no workloads and no replies of another size. It ends with its input.

mod handlers;
mod messages;
mod services;
mod sum;

use std::error::Error;
use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::{env, process, thread};

use tokio::net::TcpSocket;
use tokio::runtime::Runtime;
use tonic::transport::server::{Server, TcpIncoming};

use services::{Bencher, Streamer};

fn main() -> Result<(), Box<dyn Error>> {
    let port = env::args()
        .nth(1)
        .ok_or("peer PORT: the port is missing")?
        .parse()?;
    Runtime::new()?.block_on(serve(port))
}

async fn serve(port: u16) -> Result<(), Box<dyn Error>> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let connections = TcpIncoming::from(socket.listen(4096)?).with_nodelay(Some(true));
    println!("ready {port}");
    thread::spawn(end);
    Server::builder()
        .add_service(Bencher)
        .add_service(Streamer)
        .serve_with_incoming(connections)
        .await?;
    Ok(())
}

/// Ends the process with its input.
fn end() {
    let _ = io::stdin().read_to_end(&mut Vec::new());
    process::exit(0);
}
