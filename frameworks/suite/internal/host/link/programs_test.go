package link

import (
	"os"
	"testing"
)

// TestPrograms has Go run these tests again when programs are installed: some take those
// of the machine. make sets the variable.
func TestPrograms(*testing.T) { _ = os.Getenv("RPCBENCH_PROGRAMS") }
