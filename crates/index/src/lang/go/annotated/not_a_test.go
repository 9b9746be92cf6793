//> file: pkg/plain.go
package pkg

// In a file that is no test file these are functions.

func TestParse() bool { return true }
//> function TestParse vis=public cc=1

func BenchmarkParse(n int) int { return n }
//> function BenchmarkParse vis=public cc=1

func ExampleParse() {}
//> function ExampleParse vis=public cc=1
