package protoc

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/types/pluginpb"
)

func TestWrite(t *testing.T) {
	name, text := "a/b/c.go", "package b\n"
	dir := t.TempDir()
	response := &pluginpb.CodeGeneratorResponse{File: []*pluginpb.CodeGeneratorResponse_File{{Name: &name, Content: &text}}}
	if err := Write(dir, response); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
		t.Errorf("%q, %v, want %q", got, err, text)
	}
	problem := "no such message"
	if err := Write(dir, &pluginpb.CodeGeneratorResponse{Error: &problem}); err == nil || err.Error() != problem {
		t.Errorf("%v, want %s", err, problem)
	}
}
