// prelude
import java.util.*;
class Stream<T> {
  static Object of(Object... values) { Object made = new Stream(); made[$] = values[$]; return made; }
  static Object ofNullable(Object value) { Object made = new Stream(); made[$] = value; return made; }
  static Object empty() { return new Stream(); }
  static Object iterate(Object start, Object... next) { Object made = new Stream(); made[$] = start; made[$] = next[$].apply(made[$]); return made; }
  static Object generate(Object make) { Object made = new Stream(); made[$] = make.get(); return made; }
  static Object concat(Object one, Object other) { Object made = new Stream(); made[$] = one[$]; made[$] = other[$]; return made; }
  static Object range(Object from, Object to) { return new Stream(); }
  static Object rangeClosed(Object from, Object to) { return new Stream(); }
  static Object builder() { return new Stream(); }
  Object add(Object value) { this[$] = value; return this; }
  Object build() { return this; }
  Object map(Object change) { Object made = new Stream(); made[$] = change.apply(this[$]); return made; }
  Object mapToObj(Object change) { Object made = new Stream(); made[$] = change.apply(this[$]); return made; }
  Object mapToInt(Object change) { change.apply(this[$]); return new Stream(); }
  Object mapToLong(Object change) { change.apply(this[$]); return new Stream(); }
  Object mapToDouble(Object change) { change.apply(this[$]); return new Stream(); }
  Object mapMulti(Object change) { Object made = new Stream(); change.accept(this[$], value -> { made[$] = value; }); return made; }
  Object flatMap(Object change) { Object made = new Stream(); made[$] = change.apply(this[$])[$]; return made; }
  Object flatMapToInt(Object change) { return change.apply(this[$]); }
  Object filter(Object test) { test.test(this[$]); return this; }
  Object takeWhile(Object test) { test.test(this[$]); return this; }
  Object dropWhile(Object test) { test.test(this[$]); return this; }
  Object peek(Object action) { action.accept(this[$]); return this; }
  Object sorted(Object... order) { order[$].compare(this[$], this[$]); return this; }
  Object distinct() { return this; }
  Object limit(long count) { return this; }
  Object skip(long count) { return this; }
  Object parallel() { return this; }
  Object sequential() { return this; }
  Object unordered() { return this; }
  Object onClose(Object action) { action.run(); return this; }
  Object boxed() { return this; }
  Object asLongStream() { return this; }
  Object asDoubleStream() { return this; }
  Object iterator() { Object made = new Iterator(); made[$] = this[$]; return made; }
  void close() {}
  void forEach(Object action) { action.accept(this[$]); }
  void forEachOrdered(Object action) { action.accept(this[$]); }
  boolean anyMatch(Object test) { test.test(this[$]); }
  boolean allMatch(Object test) { test.test(this[$]); }
  boolean noneMatch(Object test) { test.test(this[$]); }
  long count() {}
  int sum() {}
  Object average() { return new Optional(); }
  Object found() { Object made = new Optional(); made[$] = this[$]; return made; }
  Object findFirst() { return this.found(); }
  Object findAny() { return this.found(); }
  Object min(Object... order) { order[$].compare(this[$], this[$]); return this.found(); }
  Object max(Object... order) { order[$].compare(this[$], this[$]); return this.found(); }
  Object reduce(Object start) { Object made = new Optional(); made[$] = this[$]; made[$] = start.apply(made[$], this[$]); return made; }
  Object reduce(Object start, Object join) { Object made = join.apply(start, this[$]); if (made) { return join.apply(made, this[$]); } return start; }
  Object reduce(Object start, Object join, Object combine) { Object made = join.apply(start, this[$]); combine.apply(made, made); if (made) { return join.apply(made, this[$]); } return start; }
  Object toList() { Object made = new ArrayList(); made[$] = this[$]; return made; }
  Object toArray(Object... make) { make[$].apply(null); Object made = new Array(); made[$] = this[$]; return made; }
  Object collect(Object collector) { return collector.collectFrom(this); }
  Object collect(Object make, Object add, Object combine) { Object made = make.get(); add.accept(made, this[$]); combine.accept(made, made); return made; }
}
class IntStream extends Stream {}
class LongStream extends Stream {}
class DoubleStream extends Stream {}
class StreamSupport { static Object stream(Object values) { Object made = new Stream(); for (Object each : values) { made[$] = each; } return made; } }

class Collector<T, A, R> {
  Object make;
  Collector(Object make) { this.make = make; }
  Object collectFrom(Object values) { return this.make.apply(values); }
  static Object of(Object supply, Object add, Object combine, Object... finish) { return new Collector(values -> { Object made = supply.get(); add.accept(made, values[$]); combine.apply(made, made); if (made) { return finish[$].apply(made); } return made; }); }
}

class Collectors {
  static Object toList() { return new Collector(values -> { Object made = new ArrayList(); made[$] = values[$]; return made; }); }
  static Object toUnmodifiableList() { return Collectors.toList(); }
  static Object toSet() { return new Collector(values -> { Object made = new HashSet(); made[$] = values[$]; return made; }); }
  static Object toUnmodifiableSet() { return Collectors.toSet(); }
  static Object toCollection(Object make) { return new Collector(values -> { Object made = make.get(); made.add(values[$]); return made; }); }
  static Object toMap(Object key, Object value, Object join, Object... make) { return new Collector(values -> { Object made = new HashMap(); made.key = key.apply(values[$]); made[$] = value.apply(values[$]); made[$] = join.apply(made[$], made[$]); make[$].get(); return made; }); }
  static Object toUnmodifiableMap(Object key, Object value) { return Collectors.toMap(key, value); }
  static Object toConcurrentMap(Object key, Object value) { return Collectors.toMap(key, value); }
  static Object groupingBy(Object key) { return new Collector(values -> { Object made = new HashMap(); made.key = key.apply(values[$]); Object list = new ArrayList(); list[$] = values[$]; made[$] = list; return made; }); }
  static Object groupingBy(Object key, Object below) { return new Collector(values -> { Object made = new HashMap(); made.key = key.apply(values[$]); made[$] = below.collectFrom(values); return made; }); }
  static Object groupingBy(Object key, Object make, Object below) { return new Collector(values -> { Object made = make.get(); made.key = key.apply(values[$]); made[$] = below.collectFrom(values); return made; }); }
  static Object groupingByConcurrent(Object key) { return Collectors.groupingBy(key); }
  static Object partitioningBy(Object test) { return new Collector(values -> { test.test(values[$]); Object made = new HashMap(); Object list = new ArrayList(); list[$] = values[$]; made[$] = list; return made; }); }
  static Object partitioningBy(Object test, Object below) { return new Collector(values -> { test.test(values[$]); Object made = new HashMap(); made[$] = below.collectFrom(values); return made; }); }
  static Object mapping(Object change, Object below) { return new Collector(values -> { Object made = new Stream(); made[$] = change.apply(values[$]); return below.collectFrom(made); }); }
  static Object filtering(Object test, Object below) { return new Collector(values -> { test.test(values[$]); return below.collectFrom(values); }); }
  static Object flatMapping(Object change, Object below) { return new Collector(values -> { Object made = new Stream(); made[$] = change.apply(values[$])[$]; return below.collectFrom(made); }); }
  static Object collectingAndThen(Object below, Object finish) { return new Collector(values -> finish.apply(below.collectFrom(values))); }
  static Object teeing(Object one, Object other, Object join) { return new Collector(values -> join.apply(one.collectFrom(values), other.collectFrom(values))); }
  static Object reducing(Object start, Object join) { return new Collector(values -> { Object made = join.apply(start, values[$]); return join.apply(made, values[$]); }); }
  static Object reducing(Object start, Object change, Object join) { return new Collector(values -> { Object made = change.apply(values[$]); return join.apply(made, made); }); }
  static Object minBy(Object order) { return new Collector(values -> { order.compare(values[$], values[$]); Object made = new Optional(); made[$] = values[$]; return made; }); }
  static Object maxBy(Object order) { return Collectors.minBy(order); }
  static Object counting() { return new Collector(values -> null); }
  static Object joining(Object... parts) { return new Collector(values -> "text"); }
  static Object summingInt(Object change) { return new Collector(values -> { change.apply(values[$]); }); }
  static Object summingLong(Object change) { return Collectors.summingInt(change); }
  static Object summingDouble(Object change) { return Collectors.summingInt(change); }
  static Object averagingInt(Object change) { return Collectors.summingInt(change); }
  static Object averagingLong(Object change) { return Collectors.summingInt(change); }
  static Object averagingDouble(Object change) { return Collectors.summingInt(change); }
  static Object summarizingInt(Object change) { return Collectors.summingInt(change); }
  static Object summarizingDouble(Object change) { return Collectors.summingInt(change); }
}
