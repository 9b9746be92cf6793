package functions

import "context"
//> import context from context -

// Add sums two numbers. It never overflows.
func Add(a, b int) int {
//> function Add vis=public cc=1 mods=- col=6 end=2 sig="func Add(a, b int) int" doc="Add sums two numbers."
	return a + b
}

// This remark is cut off by an empty line.

func detached() {}
//> function detached vis=internal cc=1 end=0 sig="func detached()" doc=""

// Long has its parameters
// on several lines.
//
// A second paragraph.
func Long(
//> function Long vis=public cc=2 end=9 sig="func Long(ctx context.Context, name string, opts ...Option,) (n int, err error)" doc="Long has its parameters on several lines."
	ctx context.Context,
	name string,
	opts ...Option,
) (n int, err error) {
	for _, o := range opts {
		o(name)
	}
	return len(name), ctx.Err()
}

// Option changes a name.
type Option func(string)
//> type_alias Option vis=public end=0 sig="type Option func(string)" doc="Option changes a name."

func two() (int, error) { return 2, nil }; func three() int { return 3 }
//> function two vis=internal cc=1 col=6 sig="func two() (int, error)"
//> function three vis=internal cc=1 col=49 sig="func three() int"

func assembled(a, b uint64) (sum uint64)
//> function assembled vis=internal end=0 sig="func assembled(a, b uint64) (sum uint64)"

func init() {
//> function init vis=internal cc=1 end=2
	detached()
}

func init() {
//> function init#2 vis=internal cc=1 end=2 sig="func init()"
	_, _ = two()
}

func init() { three() }
//> function init#3 vis=internal cc=1

func higher(apply func(int) func(int) int, xs []int) (out []int) {
//> function higher vis=internal cc=2 sig="func higher(apply func(int) func(int) int, xs []int) (out []int)"
	for _, x := range xs {
		out = append(out, apply(x)(x))
	}
	return
}

func   spaced (  a   int  )   {
//> function spaced col=8 cc=1 sig="func spaced ( a int )"
	_ = a
}

func returnsStruct() struct{} { return struct{}{} }
//> function returnsStruct vis=internal cc=1

func channels(in <-chan int, out chan<- int) <-chan struct{} {
//> function channels cc=1 sig="func channels(in <-chan int, out chan<- int) <-chan struct{}"
	out <- <-in
	return nil
}

// main
func main() {}
//> function main vis=internal cc=1
