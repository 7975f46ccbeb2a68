package suite

// Writer appends what is written to it, for libraries that encode to an
// io.Writer: set it to dst, and return what it then is.
type Writer []byte

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

// WriteByte implements io.ByteWriter.
func (w *Writer) WriteByte(c byte) error {
	*w = append(*w, c)
	return nil
}

// WriteString implements io.StringWriter.
func (w *Writer) WriteString(s string) (int, error) {
	*w = append(*w, s...)
	return len(s), nil
}
