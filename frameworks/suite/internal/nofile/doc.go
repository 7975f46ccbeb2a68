// Package nofile has tests see that what is no file, or one of gigabytes, is refused before it
// is read: a reader would hang, or fill the memory.
package nofile
