package figure

const aboutCounts = "By one caller. Request and reply are the payload of TCP. Segments have payload, both ways. System calls are those that move bytes over the connection."

// counts has the references last.
func (g *lineGroup) counts() Table {
	t := Table{Title: g.title(), Text: 1, Note: aboutCounts, Head: []string{"framework"}}
	g.sortBy()
	for _, v := range g.variants {
		t.Rows = append(t.Rows, []string{v.label})
	}
	for _, c := range []struct{ head, unit string }{
		{"request B", "request-wire-B/op"},
		{"reply B", "reply-wire-B/op"},
		{"segments", "segs/op"},
		{"client system calls", "client-syscalls/op"},
		{"server system calls", "server-syscalls/op"},
		{"client allocations", "client-allocs/op"},
		{"server allocations", "server-allocs/op"},
		{"client B", "client-B/op"},
		{"server B", "server-B/op"},
	} {
		t.Head = append(t.Head, c.head)
		for i, v := range g.variants {
			t.Rows[i] = append(t.Rows[i], v.few(c.unit))
		}
		t = t.without(c.head, missing)
	}
	return t
}
