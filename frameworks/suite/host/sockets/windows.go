package sockets

// Windows are the receive windows in bytes that the kernels of both sides advertised last on
// a connection; 0: not known.
type Windows struct {
	Own     int64 // of this side
	Peer    int64 // of the other side
	Carried int64 // bytes of payload on that connection, both ways
}

// most returns the windows of the connection that has carried more.
func (w Windows) most(other Windows) Windows {
	if other.Carried > w.Carried {
		return other
	}
	return w
}
