// Truth tells which load generators tell the truth. It runs servers whose response times follow
// from arithmetic, has each tool call them, and prints a table of what the tools said beside
// what was true. make truth runs it:
//
//	truth -runs=3 -dir=truth
//
// A cell is a mode of a tool against a server over a protocol. Each run of a cell leaves a
// record in -dir, and a run that has one is not repeated unless it failed: an interrupted table
// goes on where it was. A tool that is missing or fails is a row that says so. The tables go to the standard output, all else to the standard error. The exit code is 1
// if no cell could be measured or a record not be written, and 2 for bad input.
package main
