package link

import "fmt"

// New makes a link. The error says what this machine lacks for it.
func New(c Config) (*Link, error) {
	l, err := open(c)
	if err != nil {
		return nil, fmt.Errorf("no line between two network namespaces: %w", err)
	}
	return l, nil
}
