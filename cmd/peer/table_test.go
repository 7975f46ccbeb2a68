package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOurTable: the server of each line of the project's table is there and of a language that
// is known, and its binary is that of a framework. No server is left out of the table.
func TestOurTable(t *testing.T) {
	const root = "../.."
	list, err := readTable(filepath.Join(root, "testdata/peers/table.txt"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, p := range list {
		listed = append(listed, p.directory)
		if _, err := languageOf(filepath.Join(root, p.directory)); err != nil {
			t.Error(err)
		}
		framework := strings.TrimSuffix(strings.TrimPrefix(p.binary, "bin/"), ".test")
		if _, err := os.Stat(filepath.Join(root, "frameworks", framework, "bench_test.go")); err != nil || !strings.HasPrefix(p.variant, "framework="+framework) {
			t.Errorf("%s: %s against %s: %v", p.name, p.binary, p.variant, err)
		}
	}
	servers, err := os.ReadDir(filepath.Join(root, "testdata/peers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range servers {
		dir := filepath.Join("testdata/peers", s.Name())
		if _, err := languageOf(filepath.Join(root, dir)); err == nil && !slices.Contains(listed, dir) {
			t.Errorf("%s is in no line of the table", dir)
		}
	}
}
