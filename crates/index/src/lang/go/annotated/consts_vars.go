package consts

import (
	"errors"
//> import errors from errors -
	"strings"
//> import strings from strings -
)

// Pi is rounded.
const Pi = 3.14
//> constant Pi vis=public mods=- col=7 end=0 sig="const Pi = 3.14" doc="Pi is rounded."

const greeting string = "func hello() {}"
//> constant greeting vis=internal sig="const greeting string = "func hello() {}""

const a, B = 1, "two"
//> constant a vis=internal col=7
//> constant B vis=public col=10

// Color names a paint.
type Color int
//> type_alias Color vis=public sig="type Color int"

// The paints.
const (
	// Red comes first.
	Red Color = iota
//> constant Red vis=public col=2 end=0 sig="Red Color = iota" doc="Red comes first."
	Green
//> constant Green vis=public sig="Green"
	_
	blue // the last one
//> constant blue vis=internal sig="blue"
)

const (
	KB = 1 << (10 * (iota + 1))
//> constant KB vis=public sig="KB = 1 << (10 * (iota + 1))"
	MB
//> constant MB vis=public

	x0, y0 = iota, -iota
//> constant x0 vis=internal
//> constant y0 vis=internal
	x1, y1
//> constant x1 vis=internal
//> constant y1 vis=internal
)

const _ = uint(1)

const (
	Only = true
//> constant Only vis=public sig="Only = true"
)

const ()

// ErrGone is returned at the end.
var ErrGone = errors.New("gone")
//> static ErrGone vis=public mods=- col=5 end=0 sig="var ErrGone = errors.New("gone")" doc="ErrGone is returned at the end."

var counter int
//> static counter vis=internal sig="var counter int"

var left, Right = 1, 2
//> static left vis=internal
//> static Right vis=public

var first, _ = split("a b")
//> static first vis=internal

var _ error = (*failure)(nil)

type failure struct{}
//> struct failure vis=internal

func (*failure) Error() string { return "failure" }
//> method failure.Error vis=public cc=1

func split(s string) (string, string) {
//> function split vis=internal cc=1
	before, after, _ := strings.Cut(s, " ")
	return before, after
}

var (
	// Version is set by the linker.
	Version = "dev"
//> static Version vis=public sig="Version = "dev"" doc="Version is set by the linker."
	table   = map[string]int{
//> static table vis=internal end=3
		"one": 1,
		"two": 2,
	}
	cache, hits map[string]int
//> static cache vis=internal
//> static hits vis=internal

	// Double is a function in a variable.
	Double = func(n int) int {
//> function Double vis=public cc=2 end=5 doc="Double is a function in a variable."
		if n == 0 {
			return 0
		}
		return 2 * n
	}
)

// Less compares. It is replaced in tests.
var Less = func(p, q string) bool { return p < q || p == "" }
//> function Less vis=public cc=2 col=5 end=0 doc="Less compares."

var typed func(int) bool = func(n int) bool {
//> function typed vis=internal cc=2 end=5
	for n > 9 {
		n /= 10
	}
	return n == 1
}

var hook func(string) error
//> static hook vis=internal sig="var hook func(string) error"

var called = func() int { return 7 }()
//> static called vis=internal

var asMethod = (*failure).Error
//> static asMethod vis=internal

var handlers = map[string]func(string) string{
//> static handlers vis=internal end=3
	"upper": strings.ToUpper,
	"same":  func(s string) string { return s },
}

var raw = `
//> static raw vis=internal end=3
const inner = 1
var alsoInner = 2
`
