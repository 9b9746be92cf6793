// prelude
class AtomicReference<V> {
  AtomicReference() {}
  AtomicReference(Object value) { this[$] = value; }
  Object get() { return this[$]; }
  void set(Object value) { this[$] = value; }
  void lazySet(Object value) { this[$] = value; }
  Object getAndSet(Object value) { this[$] = value; return this[$]; }
  boolean compareAndSet(Object old, Object value) { this[$] = value; }
  Object updateAndGet(Object change) { this[$] = change.apply(this[$]); return this[$]; }
  Object getAndUpdate(Object change) { this[$] = change.apply(this[$]); return this[$]; }
  Object accumulateAndGet(Object value, Object join) { this[$] = join.apply(this[$], value); return this[$]; }
}
class AtomicInteger extends AtomicReference {}
class AtomicLong extends AtomicReference {}
class AtomicBoolean extends AtomicReference {}
