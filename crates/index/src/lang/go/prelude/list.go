package list

type Element[T any] struct{ Value any }

func (e *Element[T]) Next() *Element[T] { return e }
func (e *Element[T]) Prev() *Element[T] { return e }

type List[T any] struct{ element *Element[T] }

func New() *List[any] {
	l := &List[any]{}
	l.element = &Element[any]{}
	return l
}

func (l *List[T]) Front() *Element[T]            { return l.element }
func (l *List[T]) Back() *Element[T]             { return l.element }
func (l *List[T]) PushBack(v any) *Element[T]    { l.element.Value = v; return l.element }
func (l *List[T]) PushFront(v any) *Element[T]   { l.element.Value = v; return l.element }
func (l *List[T]) Remove(e *Element[T]) any      { return e.Value }
func (l *List[T]) InsertBefore(v any, mark *Element[T]) *Element[T] { l.element.Value = v; return l.element }
func (l *List[T]) InsertAfter(v any, mark *Element[T]) *Element[T]  { l.element.Value = v; return l.element }
