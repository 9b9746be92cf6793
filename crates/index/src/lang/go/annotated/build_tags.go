//go:build linux && (amd64 || arm64)
// +build linux

// Package build has constraints.
package build

import "C"
//> import C from C -

//go:generate stringer -type=Mode

// Mode says how.
type Mode uint8
//> type_alias Mode vis=public sig="type Mode uint8" doc="Mode says how."

const (
	Fast Mode = iota + 1 // quick
//> constant Fast vis=public sig="Fast Mode = iota + 1"
	Slow                 // thorough
//> constant Slow vis=public sig="Slow"
)

//go:noinline
func pinned(n int) int {
//> function pinned vis=internal cc=1 end=2 sig="func pinned(n int) int"
	return n
}

//go:linkname runtimeNano runtime.nanotime
func runtimeNano() int64
//> function runtimeNano vis=internal end=0

//export Exported
func Exported(n C.int) C.int { return n }
//> function Exported vis=public cc=1 sig="func Exported(n C.int) C.int"
