// Command stock prints what is left.
package main

import "fmt"

// Shelf holds things of one kind.
type Shelf struct {
	Name  string
	count int
}

// Take removes n things, or as many as there are.
func (s *Shelf) Take(n int) int {
	if n > s.count {
		n = s.count
	}
	s.count -= n
	return n
}

func main() {
	shelf := &Shelf{Name: "pens", count: 3}
	fmt.Println(shelf.Take(5))
}
