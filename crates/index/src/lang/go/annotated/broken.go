package broken

import "fmt"
//> import fmt from fmt -

const Before = 1
//> constant Before vis=public

type Point struct {
//> struct Point vis=public
	X int
//> field Point.X vis=public
	Y int
//> field Point.Y vis=public
}

func first() int {
//> function first vis=internal
	return 1
}

) ) 17 %% ]

func second() {
//> function second vis=internal
	fmt.Println("second")
}

func third(n int) int {
//> function third vis=internal
	x := := n
	return x
}

func (p Point) Fourth() int {
//> method Point.Fourth vis=public
	return p.X
}

]]

var after = 2
//> static after vis=internal

type Reader interface {
//> interface Reader vis=public
	Read() int
//> method Reader.Read vis=public
}

func last() string {
//> function last vis=internal
	return "last"
}
