package page

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var npm = flag.Bool("npm", false, "compare ECharts with what npm downloads")

// TestLibraryIsUnchanged holds the one library in the tree to the npm package of
// this version: by its sum, and with -npm byte by byte, its licences too.
func TestLibraryIsUnchanged(t *testing.T) {
	const version = "6.1.0"
	sum := sha256.Sum256([]byte(library))
	assert.Equal(t, "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0", hex.EncodeToString(sum[:]))
	if !*npm {
		return
	}
	pack := exec.CommandContext(t.Context(), "sh", "-ec", "npm pack --silent echarts@"+version+" && tar xzf *.tgz")
	pack.Dir = t.TempDir()
	out, err := pack.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, file := range []string{"dist/echarts.min.js", "LICENSE", "NOTICE", "licenses/LICENSE-d3"} {
		want, err := os.ReadFile(filepath.Join(pack.Dir, "package", file))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("echarts", filepath.Base(file)))
		require.NoError(t, err)
		assert.True(t, string(want) == string(got), file)
	}
}
