// Package commandline reads flags. Whatever is wrong with them is one sentence,
// which names the nearest flag where a name was mistyped. Help is an entry of a
// few lines for each flag.
//
// Several modules have a copy of this package, since none of them requires
// another one. A test in the root module keeps the copies equal.
package commandline

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Parse reads args. Its error is one sentence, or flag.ErrHelp if help was asked
// for. hint returns the sentence about a flag that does not exist; "" leaves it to
// Parse, and hint may be nil.
func Parse(fs *flag.FlagSet, args []string, hint func(name, value string) string) error {
	fs.Init(fs.Name(), flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return err
	case strings.HasPrefix(err.Error(), "flag provided but not defined"):
		name, value := last(args, fs.Args())
		return errors.New(unknown(fs, name, value, hint))
	}
	return unreadable(fs, err)
}

// last is the flag that comes before the rest of the arguments, and its value.
func last(args, rest []string) (name, value string) {
	name, value, found := strings.Cut(strings.TrimLeft(args[len(args)-len(rest)-1], "-"), "=")
	if !found && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		value = rest[0]
	}
	return name, value
}

// ofTesting is what the flags of package testing begin with in a compiled binary.
const ofTesting = "test."

// unknown is the sentence about a flag that does not exist.
func unknown(fs *flag.FlagSet, name, value string, hint func(name, value string) string) string {
	if fs.Lookup(ofTesting+name) != nil {
		return fmt.Sprintf("-%s is a flag of go test: write it before -args, or -%s%[1]s for a compiled binary", name, ofTesting)
	}
	if hint != nil {
		if say := hint(name, value); say != "" {
			return say
		}
	}
	names := map[string]string{} // as written here, by what to compare
	fs.VisitAll(func(f *flag.Flag) { names[strings.TrimPrefix(f.Name, ofTesting)] = "-" + f.Name })
	if near := Nearest(strings.TrimPrefix(name, ofTesting), keys(names)); len(near) > 0 {
		for i := range near {
			near[i] = names[near[i]]
		}
		return fmt.Sprintf("unknown flag -%s; %s", name, DidYouMean(near))
	}
	if fs.Lookup(ofTesting+"v") != nil {
		return fmt.Sprintf("unknown flag -%s; -h lists the flags, after go test . -args -h", name)
	}
	return fmt.Sprintf("unknown flag -%s; -h lists the flags", name)
}

// unreadable is the sentence about a value.
func unreadable(fs *flag.FlagSet, err error) error {
	if name, found := strings.CutPrefix(err.Error(), "flag needs an argument: "); found {
		return fmt.Errorf("%s needs a value: write %[1]s=…", name)
	}
	parts := regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): (.*)$`).FindStringSubmatch(err.Error())
	if parts == nil {
		return err
	}
	value, _ := strconv.Unquote(parts[1])
	return fmt.Errorf("-%s=%s: %s", parts[2], value, cmp.Or(wanted(fs.Lookup(parts[2]).Value), parts[3]))
}

// wanted says what a value must be; "" if that is not known.
func wanted(v flag.Value) string {
	getter, ok := v.(flag.Getter)
	if !ok {
		return ""
	}
	switch getter.Get().(type) {
	case bool:
		return "must be true or false"
	case int, int64, uint, uint64:
		return "must be a whole number"
	case float64:
		return "must be a number"
	case time.Duration:
		return "must be a duration, as in 10s or 500ms"
	}
	return ""
}
