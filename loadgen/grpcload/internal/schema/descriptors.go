package schema

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
)

// largest is how large a file with a schema may be, in bytes.
const largest = 64 << 20

// protoc is the command that makes a descriptor set.
const protoc = "make it with protoc --include_imports -o FILE"

// Read returns the schema of a file with a descriptor set.
func Read(path string) (*Schema, error) {
	data, err := regular.ReadFile(path, largest)
	if err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(data, set); err != nil || len(set.File) == 0 {
		return nil, fmt.Errorf("%s is no descriptor set: %s", path, protoc)
	}
	if err := complete(set); err != nil {
		return nil, fmt.Errorf("%s %w: %s", path, err, protoc)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, fmt.Errorf("%s is no valid descriptor set: %w", path, err)
	}
	s, err := of(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// complete returns an error if a file imports one that is not in the set.
func complete(set *descriptorpb.FileDescriptorSet) error {
	has := map[string]bool{}
	for _, f := range set.File {
		has[f.GetName()] = true
	}
	for _, f := range set.File {
		for _, name := range f.Dependency {
			if !has[name] {
				return fmt.Errorf("is without %s, which %s imports", name, f.GetName())
			}
		}
	}
	return nil
}
