package complexity

import "time"
//> import time from time -

func straight() int { return 1 }
//> function straight cc=1

func ifOnly(a int) int {
//> function ifOnly cc=2
	if a > 0 {
		return a
	}
	return -a
}

func ifElse(a int) int {
//> function ifElse cc=2
	if a > 0 {
		return a
	} else {
		return -a
	}
}

func ifElseIf(a int) string {
//> function ifElseIf cc=4
	if a > 10 {
		return "big"
	} else if a > 5 {
		return "middle"
	} else if b := a * 2; b > 3 {
		return "small"
	} else {
		return "none"
	}
}

func loops(n int, xs []int, ch chan int) {
//> function loops cc=6
	for {
		break
	}
	for n > 0 {
		n--
	}
	for i := 0; i < n; i++ {
	}
	for range xs {
	}
	for v := range ch {
		_ = v
	}
}

func operators(a, b, c bool) bool {
//> function operators cc=4
	return a && b || !c && a
}

func bitwise(a, b int) int {
//> function bitwise cc=1
	return a&b | a ^ b&^a<<2
}

func switches(n int) string {
//> function switches cc=4
	switch n {
	case 0:
		return "zero"
	case 1, 2, 3:
		return "few"
	case 4:
		fallthrough
	default:
		return "many"
	}
}

func tagless(n int) (s string) {
//> function tagless cc=5
	switch {
	case n < 0 && n > -5:
		s = "just below"
	case n == 0:
		s = "zero"
	case n > 100:
		s = "far"
	}
	return
}

func typeSwitch(v any) int {
//> function typeSwitch cc=5
	switch x := v.(type) {
	case int, int64:
		return 1
	case string:
		if x == "" {
			return 0
		}
		return 2
	case nil:
		return 3
	default:
		return 4
	}
}

func selecting(in, other <-chan int, out chan<- int) int {
//> function selecting cc=6
	for {
		select {
		case v, ok := <-in:
			if ok {
				return v
			}
		case <-other:
			return 0
		case out <- 1:
		default:
			return -1
		}
	}
}

func emptySelect() {
//> function emptySelect cc=1
	select {}
}

func closures(xs []int) func(int) bool {
//> function closures cc=2
	for _, x := range xs {
		go func(y int) {
//> function closures.<lambda1> cc=2 end=4
			if y > 0 {
				println(y)
			}
		}(x)
	}
	return func(n int) bool {
//> function closures.<lambda2> cc=4
		inner := func(m int) bool {
//> function closures.<lambda2>.<lambda1> cc=2
			return m > 0 || m < -10
		}
		if n == 0 || n == 1 && inner(n) {
			return true
		}
		return false
	}
}

func deferred() (err error) {
//> function deferred cc=1
	defer func() {
//> function deferred.<lambda1> cc=3
		if r := recover(); r != nil && err == nil {
			err = nil
		}
	}()
	return nil
}

func labels(grid [][]int) int {
//> function labels cc=4
outer:
	for _, row := range grid {
		for _, cell := range row {
			if cell == 0 {
				continue outer
			}
		}
	}
	goto end
end:
	return 0
}

type guard struct{ limit int }
//> struct guard
//> field guard.limit

func (g *guard) allow(n int) bool {
//> method guard.allow cc=4
	switch g.limit {
	case 0:
		return n == 0 || n == 1
	}
	return g.limit > n && n > 0
}

var waiting = func(d time.Duration) bool {
//> function waiting cc=3
	select {
	case <-time.After(d):
		return true
	case <-time.After(2 * d):
		return false
	}
}
