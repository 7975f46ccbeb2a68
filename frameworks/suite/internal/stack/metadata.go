package stack

import (
	"encoding/base64"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// Lacks says what of a set a framework's means lack; "" for nothing.
func Lacks(m metadata.Means, s metadata.Set) string {
	switch {
	case s.Entries == 0:
		return ""
	case m.By == "":
		return "metadata"
	case m.Text && s.Binary:
		return "binary metadata"
	case m.Filled && s.Bytes == 0:
		return "metadata without a value"
	}
	return ""
}

// Over returns why a set is over the limits of a framework's means; "" if it is not.
func Over(m metadata.Means, s metadata.Set) string {
	if s.Binary && m.Base64 {
		s.Bytes = base64.RawStdEncoding.EncodedLen(s.Bytes)
	}
	switch sum := s.Size() + s.Entries*m.Added; {
	case m.Most > 0 && sum > m.Most:
		return fmt.Sprintf("%d bytes of %d", sum, m.Most)
	case m.MostValue > 0 && s.Bytes > m.MostValue:
		return fmt.Sprintf("values of %d bytes of %d", s.Bytes, m.MostValue)
	}
	return ""
}
