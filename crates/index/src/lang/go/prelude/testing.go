package testing

type T struct{}

func (t *T) Run(name string, f func(t *T)) bool { f(t); return true }
func (t *T) Cleanup(f func())                   { f() }

type B struct{ N int }

func (b *B) Run(name string, f func(b *B)) bool  { f(b); return true }
func (b *B) RunParallel(body func(*PB))          { body(nil) }
func (b *B) Cleanup(f func())                    { f() }

type F struct{}

func (f *F) Fuzz(ff any)      { ff(&T{}) }
func (f *F) Cleanup(fn func()) { fn() }

type M struct{}

type TB interface {
	Cleanup(f func())
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Log(args ...any)
	Logf(format string, args ...any)
	Name() string
	Skip(args ...any)
	TempDir() string
	Setenv(key, value string)
	Failed() bool
	FailNow()
	Fail()
}

func AllocsPerRun(runs int, f func()) float64       { f(); return 0 }
func Benchmark(f func(b *B)) BenchmarkResult        { f(&B{}); return nil }
