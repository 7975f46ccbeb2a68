// Package released names the modules that others import.
package released

// Modules are the directories of the modules that a release tags.
func Modules() []string {
	return []string{"loadgen", "loadgen/grpcload", "frameworks/suite", "codecs/suite", "cmd"}
}
