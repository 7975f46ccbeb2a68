package framework

// spans counts the spans of OTel that have ended in this process. It is a package variable
// for the same reason as serving.
var spans struct{ roots, children tally }

// CountSpan counts a span that has ended, with a parent or without. Until Spans is called
// it does nothing.
func CountSpan(hasParent bool) {
	if hasParent {
		spans.children.add()
	} else {
		spans.roots.add()
	}
}

// Spans returns how many spans have ended in this process since the first call of Spans,
// which starts the count, and how many of them have a parent. A call is traced where its
// span has a parent, since a span of its own says nothing of who has called.
func Spans() (all, withParent int64) {
	withParent = spans.children.read()
	return spans.roots.read() + withParent, withParent
}
