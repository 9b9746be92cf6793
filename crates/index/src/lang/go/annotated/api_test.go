//> file: pkg/api_test.go
package pkg_test

import (
	"fmt"
//> import fmt from fmt -
	"testing"
//> import testing from testing -
)

// TestParse reads a number.
func TestParse(t *testing.T) {
//> test TestParse vis=public cc=3 mods=- col=6 end=18 sig="func TestParse(t *testing.T)" doc="TestParse reads a number."
	cases := []struct {
		name string
		want int
	}{
		{"one", 1},
		{"two", 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
//> function TestParse.<lambda1> cc=2
			if c.want == 0 {
				t.Fatal("zero")
			}
		})
	}
	if testing.Short() {
		t.Skip()
	}
}

func Test_underscore(t *testing.T) {
//> test Test_underscore vis=public cc=1
	type fixture struct {
//> struct Test_underscore.fixture
		path string
//> field Test_underscore.fixture.path
	}
	helper(t, fixture{"x"}.path)
}

func BenchmarkParse(b *testing.B) {
//> test BenchmarkParse vis=public cc=2
	for i := 0; i < b.N; i++ {
	}
}

func FuzzParse(f *testing.F) {
//> test FuzzParse vis=public cc=1
	f.Add("seed")
}

func ExampleParse() {
//> test ExampleParse vis=public cc=1 end=3
	fmt.Println("1")
	// Output: 1
}

func helper(t *testing.T, s string) {
//> function helper vis=internal cc=1
	t.Helper()
	_ = s
}

func testHelper() {}
//> function testHelper vis=internal

func checkTestName() {}
//> function checkTestName

type suite struct{ dir string }
//> struct suite
//> field suite.dir

func (s *suite) setUp() {}
//> method suite.setUp

var sample = []struct{ in, out string }{{"a", "b"}}
//> static sample
