package iter

type Seq[V any] func(yield func(V) bool)
type Seq2[K, V any] func(yield func(K, V) bool)

func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	return func() (V, bool) {
		for v := range seq {
			return v, true
		}
		return nil, false
	}, nil
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	return func() (K, V, bool) {
		for k, v := range seq {
			return k, v, true
		}
		return nil, nil, false
	}, nil
}
