package builtin

type __slice []any
type __map map[any]any
type __chan chan any
type __struct struct{}

type error interface {
	Error() string
}
