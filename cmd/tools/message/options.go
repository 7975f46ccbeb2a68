package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
)

// options are the flags, as they are given.
type options struct {
	proto, imports, samples, replySamples string
	message, reply, field, fill           string
	seed                                  uint64
	n                                     int
	codecs, frameworks, out               string
	root, dir, cache                      string
	printDir                              bool
}

// flags registers the flags.
func (o *options) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("message", flag.ContinueOnError)
	fs.StringVar(&o.proto, "proto", "", "the .proto `files` that declare the messages, with spaces between")
	fs.StringVar(&o.imports, "I", "", "`directories` that imports begin at, with commas between; those of the files if there are none")
	fs.StringVar(&o.message, "message", "", "the full `name` of the message, as in shop.v1.Order")
	fs.StringVar(&o.samples, "samples", "", "`patterns` of files with messages: a message, or an array of them, in a .json, one in each line of a .jsonl, one in a .txtpb or .binpb; without any, messages are made by -seed")
	fs.StringVar(&o.reply, "reply", "", "the full `name` of the reply of frameworks, if it is not the message")
	fs.StringVar(&o.replySamples, "reply-samples", "", "`patterns`, as -samples, for the reply")
	fs.StringVar(&o.field, "field", "", "the `field` that has another value in each call, a number, a string or bytes, and after a colon the one of the reply, so that a stale reply is told")
	fs.StringVar(&o.fill, "fill", "8..64B", "the `lengths` of strings and bytes of messages that are made by -seed")
	fs.Uint64Var(&o.seed, "seed", 1, "the `seed` of messages without samples")
	fs.IntVar(&o.n, "n", 256, "how many messages are taken at most")
	fs.StringVar(&o.codecs, "codecs", "", "`serializers`, with spaces between; all if there are none, and no serializers with none")
	fs.StringVar(&o.frameworks, "frameworks", "", "`frameworks`, with spaces between; all if there are none, and no frameworks with none")
	fs.StringVar(&o.out, "out", "", "the `file` that the command writes lines to; codecs.txt or frameworks.txt in the directory that was made if it is empty")
	fs.StringVar(&o.root, "root", "", "the `directory` of rpcbench")
	fs.StringVar(&o.dir, "dir", ".", "the `directory` that paths are relative to")
	fs.StringVar(&o.cache, "cache", "", "the `directory` for what is made; rpcbench/message in the user's cache directory if it is empty")
	fs.BoolVar(&o.printDir, "print-dir", false, "print the directory alone, and make nothing")
	return fs
}

// check returns an error for what no file has to be read for.
func (o *options) check() error {
	switch {
	case o.proto == "":
		return errors.New("-proto is missing: the .proto files that declare the message")
	case o.message == "":
		return errors.New("-message is missing: the full name of the message, as in shop.v1.Order")
	case o.root == "":
		return errors.New("-root is missing: the directory of rpcbench")
	case o.n < 1 || o.n > 1<<20:
		return fmt.Errorf("-n=%d: must be at least 1, and at most %d", o.n, 1<<20)
	case o.reply == "" && o.replySamples != "":
		return errors.New("-reply-samples are of no message: name it with -reply (REPLY)")
	}
	_, _, err := o.lengths()
	return err
}

// lengths are how long strings are, in bytes.
func (o *options) lengths() (least, most int, err error) {
	var rest string
	n, _ := fmt.Sscanf(o.fill+" .", "%d..%dB%s", &least, &most, &rest)
	if n != 3 || rest != "." || least < 0 || most < least || most > 1<<20 {
		return 0, 0, fmt.Errorf("-fill=%s: must be two lengths of strings up to 1048576, as in 8..64B", o.fill)
	}
	return least, most, nil
}

// none selects nothing.
const none = "none"

// serializers are those that are selected. Without a selection those that cannot take a .proto
// are among them, so that the table says why.
func (o *options) serializers() (list []module.Codec, err error) {
	switch o.codecs {
	case "":
		return module.All(), nil
	case none:
		return nil, nil
	}
	all := module.All()
	for _, word := range words(o.codecs) {
		found := slices.DeleteFunc(slices.Clone(all), func(c module.Codec) bool { return word != c.Name && word != c.ID() })
		if len(found) == 0 {
			return nil, unknown("-codecs", "serializer", word, names(all))
		}
		list = append(list, slices.DeleteFunc(found, func(c module.Codec) bool { return slices.Contains(list, c) })...)
	}
	return list, nil
}

// names lists the names of serializers and the other words for them, each once.
func names(list []module.Codec) (names []string) {
	for _, c := range list {
		names = append(names, c.Name, c.ID())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// measured are the frameworks that are selected.
func (o *options) measured() (list []string, err error) {
	switch o.frameworks {
	case "":
		return module.Frameworks(), nil
	case none:
		return nil, nil
	}
	for _, word := range words(o.frameworks) {
		if reason := module.Elsewhere()[word]; reason != "" {
			return nil, fmt.Errorf("-frameworks: %s cannot send the message: %s", word, reason)
		}
		if !slices.Contains(module.Frameworks(), word) {
			return nil, unknown("-frameworks", "framework that sends any message", word, module.Frameworks())
		}
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list, nil
}

// unknown is an error of a name that is not among others.
func unknown(flag, kind, name string, names []string) error {
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return fmt.Errorf("%s: %s is no %s: %s", flag, name, kind, commandline.DidYouMean(near))
	}
	return fmt.Errorf("%s: %s is no %s: there are %s", flag, name, kind, strings.Join(names, ", "))
}
