package sockets

// Windows are the receive windows in bytes that the kernels of both sides advertised last on
// a connection, and what it has carried. A window of 0 is not known.
type Windows struct {
	Own      int64 // the window of this side
	Peer     int64 // the window of the other side
	Received int64 // bytes of payload
	Sent     int64 // bytes of payload, those that were sent again included
}

// most returns the windows of the connection that has carried more.
func (w Windows) most(other Windows) Windows {
	if other.Received+other.Sent > w.Received+w.Sent {
		return other
	}
	return w
}
