package sync

type Once struct{}

func (o *Once) Do(f func()) { f() }

func OnceFunc(f func()) func() { return f }

func OnceValue[T any](f func() T) func() T { return f }

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) { return f }

type Pool struct {
	New  func() any
	held any
}

func (p *Pool) Get() any {
	if p.held != nil {
		return p.held
	}
	return p.New()
}

func (p *Pool) Put(x any) { p.held = x }

type Map struct {
	held any
	key  any
}

func (m *Map) Store(key, value any)                 { m.held = value; m.key = key }
func (m *Map) Load(key any) (any, bool)             { return m.held, true }
func (m *Map) LoadOrStore(key, value any) (any, bool) {
	m.held = value
	m.key = key
	return m.held, true
}
func (m *Map) LoadAndDelete(key any) (any, bool)     { return m.held, true }
func (m *Map) Swap(key, value any) (any, bool)       { m.held = value; m.key = key; return m.held, true }
func (m *Map) Range(f func(key, value any) bool)     { f(m.key, m.held) }

type WaitGroup struct{}

func (g *WaitGroup) Go(f func()) { f() }
