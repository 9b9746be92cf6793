package context

type CancelFunc func()
type CancelCauseFunc func(cause error)

func WithValue(parent Context, key, value any) Context                     { return parent }
func WithCancel(parent Context) (Context, CancelFunc)                      { return parent, nil }
func WithCancelCause(parent Context) (Context, CancelCauseFunc)            { return parent, nil }
func WithTimeout(parent Context, timeout any) (Context, CancelFunc)        { return parent, nil }
func WithDeadline(parent Context, deadline any) (Context, CancelFunc)      { return parent, nil }
func AfterFunc(ctx Context, f func()) (stop func() bool)                   { f(); return nil }
func Background() Context                                                  { return nil }
func TODO() Context                                                        { return nil }

type Context interface {
	Deadline() (deadline any, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}
