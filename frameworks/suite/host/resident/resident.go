// Package resident tells how much memory of a process is resident.
package resident
