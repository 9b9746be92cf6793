// prelude
interface Function<T, R> {
  R apply(T value);
  default Object andThen(Object after) { Function first = this; return a -> after.apply(first.apply(a)); }
  default Object compose(Object before) { Function last = this; return a -> last.apply(before.apply(a)); }
  static Object identity() { return a -> a; }
}
interface BiFunction<T, U, R> {
  R apply(T a, U b);
  default Object andThen(Object after) { BiFunction first = this; return (a, b) -> after.apply(first.apply(a, b)); }
}
interface UnaryOperator<T> extends Function<T, T> { static Object identity() { return a -> a; } }
interface BinaryOperator<T> extends BiFunction<T, T, T> {
  static Object minBy(Object order) { return (a, b) -> { order.compare(a, b); return a; }; }
  static Object maxBy(Object order) { return (a, b) -> { order.compare(a, b); return a; }; }
}
interface Supplier<T> { T get(); }
interface BooleanSupplier { boolean getAsBoolean(); }
interface IntSupplier { int getAsInt(); }
interface LongSupplier { long getAsLong(); }
interface DoubleSupplier { double getAsDouble(); }
interface Consumer<T> {
  void accept(T value);
  default Object andThen(Object after) { Consumer first = this; return a -> { first.accept(a); after.accept(a); }; }
}
interface BiConsumer<T, U> {
  void accept(T a, U b);
  default Object andThen(Object after) { BiConsumer first = this; return (a, b) -> { first.accept(a, b); after.accept(a, b); }; }
}
interface IntConsumer { void accept(int value); }
interface LongConsumer { void accept(long value); }
interface DoubleConsumer { void accept(double value); }
interface ObjIntConsumer<T> { void accept(T a, int b); }
interface Predicate<T> {
  boolean test(T value);
  default Object and(Object other) { Predicate first = this; return a -> first.test(a) && other.test(a); }
  default Object or(Object other) { Predicate first = this; return a -> first.test(a) || other.test(a); }
  default Object negate() { Predicate first = this; return a -> !first.test(a); }
  static Object not(Object test) { return a -> !test.test(a); }
  static Object isEqual(Object value) { return a -> true; }
}
interface BiPredicate<T, U> {
  boolean test(T a, U b);
  default Object and(Object other) { BiPredicate first = this; return (a, b) -> first.test(a, b) && other.test(a, b); }
  default Object or(Object other) { BiPredicate first = this; return (a, b) -> first.test(a, b) || other.test(a, b); }
  default Object negate() { BiPredicate first = this; return (a, b) -> !first.test(a, b); }
}
interface IntPredicate { boolean test(int value); }
interface LongPredicate { boolean test(long value); }
interface DoublePredicate { boolean test(double value); }
interface IntFunction<R> { R apply(int value); }
interface LongFunction<R> { R apply(long value); }
interface DoubleFunction<R> { R apply(double value); }
interface ToIntFunction<T> { int applyAsInt(T value); }
interface ToLongFunction<T> { long applyAsLong(T value); }
interface ToDoubleFunction<T> { double applyAsDouble(T value); }
interface ToIntBiFunction<T, U> { int applyAsInt(T a, U b); }
interface ToDoubleBiFunction<T, U> { double applyAsDouble(T a, U b); }
interface ToLongBiFunction<T, U> { long applyAsLong(T a, U b); }
interface IntUnaryOperator { int applyAsInt(int value); }
interface IntBinaryOperator { int applyAsInt(int a, int b); }
interface LongUnaryOperator { long applyAsLong(long value); }
interface LongBinaryOperator { long applyAsLong(long a, long b); }
interface DoubleUnaryOperator { double applyAsDouble(double value); }
interface DoubleBinaryOperator { double applyAsDouble(double a, double b); }
interface IntToDoubleFunction { double applyAsDouble(int value); }
interface IntToLongFunction { long applyAsLong(int value); }
