// prelude
import java.util.*;
class Array<E> {
  E clone() { return this; }
}

class Lambda {
  Object andThen(Object after) { Lambda first = this; return (a, b) -> { Object made = first.apply(a, b); return after.apply(made); }; }
  Object compose(Object before) { Lambda last = this; return a -> last.apply(before.apply(a)); }
  Object and(Object other) { Lambda first = this; return (a, b) -> first.test(a, b) && other.test(a, b); }
  Object or(Object other) { Lambda first = this; return (a, b) -> first.test(a, b) || other.test(a, b); }
  Object negate() { Lambda first = this; return (a, b) -> !first.test(a, b); }
  Object reversed() { return this; }
  Object thenComparing(Object other) { Lambda first = this; return (a, b) -> { first.compare(a, b); other.compare(a, b); }; }
  Object thenComparingInt(Object other) { Lambda first = this; return (a, b) -> { first.compare(a, b); other.apply(a); other.apply(b); }; }
  Object thenComparingDouble(Object other) { Lambda first = this; return (a, b) -> { first.compare(a, b); other.apply(a); other.apply(b); }; }
  Object thenComparingLong(Object other) { Lambda first = this; return (a, b) -> { first.compare(a, b); other.apply(a); other.apply(b); }; }
}

interface Runnable { void run(); }
interface AutoCloseable { void close(); }
interface Comparable<T> { int compareTo(T other); }

interface Iterable<T> {
  Iterator<T> iterator();
  default void forEach(Object action) { for (Object each : this) { action.accept(each); } }
  default Object spliterator() { return this; }
}

class Thread implements Runnable {
  Object task;
  Thread(Object task) { this.task = task; }
  void run() { this.task.run(); }
  void start() { this.run(); }
  static Object ofVirtual() { return new ThreadBuilder(); }
  static Object ofPlatform() { return new ThreadBuilder(); }
  static Object startVirtualThread(Object task) { task.run(); return new Thread(task); }
  static Object currentThread() { return new Thread(null); }
  void setUncaughtExceptionHandler(Object handler) { handler.uncaughtException(this); }
  void join() {}
  void interrupt() {}
  void setDaemon(boolean on) {}
}

class ThreadBuilder {
  Object name(Object name) { return this; }
  Object start(Object task) { task.run(); return new Thread(task); }
  Object unstarted(Object task) { return new Thread(task); }
}

class ThreadLocal<T> {
  Object initial;
  static Object withInitial(Object supplier) { Object made = new ThreadLocal(); made[$] = supplier.get(); return made; }
  T get() { __ask(this, "initialValue"); return this[$]; }
  void set(T value) { this[$] = value; }
  void remove() {}
}

class String {
  static Object valueOf(Object value) { __ask(value, "toString"); return "text"; }
  static Object format(Object pattern, Object... values) { return "text"; }
  static Object join(Object... values) { return "text"; }
}
