// Init is the first process of a virtual machine: see package guest. When it ends, the kernel
// shows why on its console, and stops.
package main

import "github.com/rpcbench/rpcbench/frameworks/machines/guest"

func main() { panic(guest.Boot()) }
