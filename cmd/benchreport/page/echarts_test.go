package page

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLibraryIsUnchanged holds the one library in the tree, and its licences, to the
// files of the package echarts 6.1.0 of npm, by their sums.
func TestLibraryIsUnchanged(t *testing.T) {
	for file, want := range map[string]string{
		"echarts.min.js": "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0",
		"LICENSE":        "634293835b43a6dd2094fa39182a3d9a6b9ca43b7fdb9ac354e8037af2a3093a",
		"NOTICE":         "d491d358344f842685c1b1585970999db65fe30ecf7ef3867af8814f4016c016",
		"LICENSE-d3":     "e1211892da0b0e0585b7aebe8f98c1274fba15bafe47fa1f4ee8a7a502c06304",
	} {
		text, err := os.ReadFile(filepath.Join("echarts", file))
		require.NoError(t, err)
		sum := sha256.Sum256(text)
		assert.Equal(t, want, hex.EncodeToString(sum[:]), file)
	}
}
