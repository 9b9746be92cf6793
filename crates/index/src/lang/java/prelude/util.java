// prelude
import java.util.stream.*;
class Collection<E> implements Iterable<E> {
  Collection() {}
  Collection(Object values) { for (Object each : values) { this[$] = each; } }
  boolean add(E value) { this[$] = value; }
  boolean addAll(Object values) { for (Object each : values) { this[$] = each; } }
  boolean remove(Object value) {}
  boolean contains(Object value) {}
  boolean isEmpty() {}
  int size() {}
  void clear() {}
  Object iterator() { Object made = new Iterator(); made[$] = this[$]; return made; }
  Object stream() { Object made = new Stream(); made[$] = this[$]; return made; }
  Object parallelStream() { Object made = new Stream(); made[$] = this[$]; return made; }
  void forEach(Object action) { action.accept(this[$]); }
  boolean removeIf(Object test) { test.test(this[$]); }
  Object toArray() { Object made = new Array(); made[$] = this[$]; return made; }
}

class Iterator<E> {
  boolean hasNext() {}
  E next() { return this[$]; }
  boolean hasMoreElements() {}
  E nextElement() { return this[$]; }
  void remove() {}
  void forEachRemaining(Object action) { action.accept(this[$]); }
}

class List<E> extends Collection<E> {
  List() {}
  List(Object values) { for (Object each : values) { this[$] = each; } }
  boolean add(E value) { this[$] = value; }
  void add(int at, E value) { this[$] = value; }
  boolean addAll(int at, Object values) { for (Object each : values) { this[$] = each; } }
  void addFirst(E value) { this[$] = value; }
  void addLast(E value) { this[$] = value; }
  void push(E value) { this[$] = value; }
  void addElement(E value) { this[$] = value; }
  boolean offer(E value) { this[$] = value; }
  boolean offerFirst(E value) { this[$] = value; }
  boolean offerLast(E value) { this[$] = value; }
  void put(E value) { this[$] = value; }
  E get(int at) { return this[$]; }
  E elementAt(int at) { return this[$]; }
  E getFirst() { return this[$]; }
  E getLast() { return this[$]; }
  E firstElement() { return this[$]; }
  E lastElement() { return this[$]; }
  E set(int at, E value) { this[$] = value; return this[$]; }
  E remove(int at) { return this[$]; }
  E remove() { return this[$]; }
  E removeFirst() { return this[$]; }
  E removeLast() { return this[$]; }
  E peek() { return this[$]; }
  E peekFirst() { return this[$]; }
  E peekLast() { return this[$]; }
  E poll() { return this[$]; }
  E pollFirst() { return this[$]; }
  E pollLast() { return this[$]; }
  E take() { return this[$]; }
  E pop() { return this[$]; }
  E element() { return this[$]; }
  E first() { return this[$]; }
  E last() { return this[$]; }
  E floor(E value) { return this[$]; }
  E ceiling(E value) { return this[$]; }
  E higher(E value) { return this[$]; }
  E lower(E value) { return this[$]; }
  Object subList(int from, int to) { return this; }
  Object headSet(E to) { return this; }
  Object tailSet(E from) { return this; }
  Object descendingSet() { return this; }
  Object reversed() { return this; }
  Object listIterator() { return this.iterator(); }
  Object descendingIterator() { return this.iterator(); }
  void sort(Object order) { order.compare(this[$], this[$]); }
  void replaceAll(Object change) { this[$] = change.apply(this[$]); }
  int indexOf(Object value) {}
  static Object of(Object... values) { Object made = new ArrayList(); made[$] = values[$]; return made; }
  static Object copyOf(Object values) { return new ArrayList(values); }
}

class ArrayList<E> extends List<E> {
  ArrayList() {}
  ArrayList(Object values) { for (Object each : values) { this[$] = each; } }
}
class LinkedList<E> extends ArrayList<E> { LinkedList() {} LinkedList(Object values) { for (Object each : values) { this[$] = each; } } }
class Vector<E> extends ArrayList<E> {}
class Stack<E> extends ArrayList<E> { E push(E value) { this[$] = value; return value; } }
class ArrayDeque<E> extends ArrayList<E> { ArrayDeque() {} ArrayDeque(Object values) { for (Object each : values) { this[$] = each; } } }
class PriorityQueue<E> extends ArrayList<E> {
  Object order;
  PriorityQueue(Object... order) { this.order = order[$]; }
  boolean add(E value) { this[$] = value; this.order.compare(this[$], value); }
  boolean offer(E value) { this[$] = value; this.order.compare(this[$], value); }
}
class Queue<E> extends ArrayList<E> {}
class Deque<E> extends ArrayList<E> {}
class Set<E> extends List<E> {
  static Object of(Object... values) { Object made = new HashSet(); made[$] = values[$]; return made; }
  static Object copyOf(Object values) { return new HashSet(values); }
}
class HashSet<E> extends Set<E> { HashSet() {} HashSet(Object values) { for (Object each : values) { this[$] = each; } } }
class LinkedHashSet<E> extends HashSet<E> { LinkedHashSet() {} LinkedHashSet(Object values) { for (Object each : values) { this[$] = each; } } }
class TreeSet<E> extends HashSet<E> {
  Object order;
  TreeSet() {}
  TreeSet(Object order) { this.order = order; for (Object each : order) { this[$] = each; } }
  boolean add(E value) { this[$] = value; this.order.compare(this[$], value); }
}
class SortedSet<E> extends TreeSet<E> {}
class NavigableSet<E> extends TreeSet<E> {}
class EnumSet<E> extends HashSet<E> {
  static Object of(Object... values) { Object made = new HashSet(); made[$] = values[$]; return made; }
  static Object noneOf(Object type) { return new HashSet(); }
  static Object allOf(Object type) { Object made = new HashSet(); made[$] = type.values()[$]; return made; }
}

class MapEntry<K, V> {
  Object key;
  Object getKey() { return this.key; }
  Object getValue() { return this[$]; }
  Object setValue(Object value) { this[$] = value; }
  static Object comparingByKey(Object... order) { return (a, b) -> order[$].compare(a.key, b.key); }
  static Object comparingByValue(Object... order) { return (a, b) -> order[$].compare(a[$], b[$]); }
}

class Map<K, V> {
  Object key;
  Map() {}
  Map(Object values) { this.putAll(values); }
  static class Entry<K, V> extends MapEntry<K, V> {}
  Object put(Object key, Object value) { this.key = key; this[key] = value; return this[key]; }
  Object putIfAbsent(Object key, Object value) { this.key = key; this[key] = value; return this[key]; }
  Object replace(Object key, Object value) { this[key] = value; return this[key]; }
  void putAll(Object values) { this.key = values.key; this[$] = values[$]; }
  Object get(Object key) { return this[key]; }
  Object getOrDefault(Object key, Object other) { if (key) { return this[key]; } return other; }
  Object remove(Object key) { return this[key]; }
  boolean containsKey(Object key) {}
  boolean containsValue(Object value) {}
  boolean isEmpty() {}
  int size() {}
  void clear() {}
  Object computeIfAbsent(Object key, Object make) { this.key = key; this[key] = make.apply(key); return this[key]; }
  Object computeIfPresent(Object key, Object make) { this[key] = make.apply(key, this[key]); return this[key]; }
  Object compute(Object key, Object make) { this.key = key; this[key] = make.apply(key, this[key]); return this[key]; }
  Object merge(Object key, Object value, Object join) { this.key = key; this[key] = value; this[key] = join.apply(this[key], value); return this[key]; }
  void forEach(Object action) { action.accept(this.key, this[$]); }
  void replaceAll(Object change) { this[$] = change.apply(this.key, this[$]); }
  Object values() { Object made = new ArrayList(); made[$] = this[$]; return made; }
  Object keySet() { Object made = new HashSet(); made[$] = this.key; return made; }
  Object navigableKeySet() { return this.keySet(); }
  Object entry() { Object made = new MapEntry(); made.key = this.key; made[$] = this[$]; return made; }
  Object entrySet() { Object made = new HashSet(); made[$] = this.entry(); return made; }
  Object firstEntry() { return this.entry(); }
  Object lastEntry() { return this.entry(); }
  Object floorEntry(Object key) { return this.entry(); }
  Object ceilingEntry(Object key) { return this.entry(); }
  Object higherEntry(Object key) { return this.entry(); }
  Object lowerEntry(Object key) { return this.entry(); }
  Object pollFirstEntry() { return this.entry(); }
  Object firstKey() { return this.key; }
  Object lastKey() { return this.key; }
  Object headMap(Object to) { return this; }
  Object tailMap(Object from) { return this; }
  Object descendingMap() { return this; }
  static Object of(Object k1, Object v1, Object k2, Object v2, Object k3, Object v3, Object k4, Object v4, Object k5, Object v5, Object k6, Object v6) {
    Object made = new HashMap(); made.put(k1, v1); made.put(k2, v2); made.put(k3, v3); made.put(k4, v4); made.put(k5, v5); made.put(k6, v6); return made;
  }
  static Object entry(Object key, Object value) { Object made = new MapEntry(); made.key = key; made[$] = value; return made; }
  static Object ofEntries(Object... entries) { Object made = new HashMap(); made.key = entries[$].key; made[$] = entries[$][$]; return made; }
  static Object copyOf(Object values) { return new HashMap(values); }
}
class HashMap<K, V> extends Map<K, V> { HashMap() {} HashMap(Object values) { this.putAll(values); } }
class LinkedHashMap<K, V> extends HashMap<K, V> { LinkedHashMap() {} LinkedHashMap(Object values) { this.putAll(values); } }
class TreeMap<K, V> extends HashMap<K, V> {
  Object order;
  TreeMap() {}
  TreeMap(Object order) { this.order = order; this.putAll(order); }
  Object put(Object key, Object value) { this.key = key; this[key] = value; this.order.compare(this.key, key); return this[key]; }
}
class SortedMap<K, V> extends TreeMap<K, V> {}
class NavigableMap<K, V> extends TreeMap<K, V> {}
class EnumMap<K, V> extends HashMap<K, V> {}
class IdentityHashMap<K, V> extends HashMap<K, V> {}
class WeakHashMap<K, V> extends HashMap<K, V> {}
class Hashtable<K, V> extends HashMap<K, V> {}

class Optional<T> {
  static Object of(Object value) { Object made = new Optional(); made[$] = value; return made; }
  static Object ofNullable(Object value) { Object made = new Optional(); made[$] = value; return made; }
  static Object empty() { return new Optional(); }
  Object get() { return this[$]; }
  Object orElse(Object other) { if (other) { return this[$]; } return other; }
  Object orElseGet(Object make) { if (make) { return this[$]; } return make.get(); }
  Object orElseThrow(Object... make) { make[$].get(); return this[$]; }
  Object map(Object change) { Object made = new Optional(); made[$] = change.apply(this[$]); return made; }
  Object flatMap(Object change) { return change.apply(this[$]); }
  Object filter(Object test) { test.test(this[$]); return this; }
  Object or(Object make) { if (make) { return this; } return make.get(); }
  void ifPresent(Object action) { action.accept(this[$]); }
  void ifPresentOrElse(Object action, Object other) { action.accept(this[$]); other.run(); }
  Object stream() { Object made = new Stream(); made[$] = this[$]; return made; }
  boolean isPresent() {}
  boolean isEmpty() {}
}
class OptionalInt extends Optional {}
class OptionalLong extends Optional {}
class OptionalDouble extends Optional {}

interface Comparator<T> {
  int compare(T a, T b);
  static Object comparing(Object key, Object... order) { return (a, b) -> { order[$].compare(key.apply(a), key.apply(b)); __ask(key.apply(a), "compareTo", key.apply(b)); }; }
  static Object comparingInt(Object key) { return (a, b) -> { key.apply(a); key.apply(b); }; }
  static Object comparingLong(Object key) { return (a, b) -> { key.apply(a); key.apply(b); }; }
  static Object comparingDouble(Object key) { return (a, b) -> { key.apply(a); key.apply(b); }; }
  static Object naturalOrder() { return (a, b) -> { __ask(a, "compareTo", b); }; }
  static Object reverseOrder() { return (a, b) -> { __ask(a, "compareTo", b); }; }
  static Object nullsFirst(Object order) { return order; }
  static Object nullsLast(Object order) { return order; }
  default Object reversed() { Comparator own = this; return (a, b) -> own.compare(a, b); }
  default Object thenComparing(Object key, Object... order) { Comparator own = this; return (a, b) -> { own.compare(a, b); key.compare(a, b); order[$].compare(a, b); }; }
  default Object thenComparingInt(Object key) { Comparator own = this; return (a, b) -> { own.compare(a, b); key.apply(a); key.apply(b); }; }
  default Object thenComparingLong(Object key) { Comparator own = this; return (a, b) -> { own.compare(a, b); key.apply(a); key.apply(b); }; }
  default Object thenComparingDouble(Object key) { Comparator own = this; return (a, b) -> { own.compare(a, b); key.apply(a); key.apply(b); }; }
}

class Collections {
  static void sort(Object values, Object order) { order.compare(values[$], values[$]); __ask(values[$], "compareTo", values[$]); }
  static Object unmodifiableList(Object values) { return values; }
  static Object unmodifiableSet(Object values) { return values; }
  static Object unmodifiableMap(Object values) { return values; }
  static Object unmodifiableCollection(Object values) { return values; }
  static Object synchronizedList(Object values) { return values; }
  static Object synchronizedMap(Object values) { return values; }
  static Object synchronizedSet(Object values) { return values; }
  static Object emptyList() { return new ArrayList(); }
  static Object emptySet() { return new HashSet(); }
  static Object emptyMap() { return new HashMap(); }
  static Object singletonList(Object value) { Object made = new ArrayList(); made[$] = value; return made; }
  static Object singleton(Object value) { Object made = new HashSet(); made[$] = value; return made; }
  static Object singletonMap(Object key, Object value) { Object made = new HashMap(); made.put(key, value); return made; }
  static boolean addAll(Object values, Object... added) { values[$] = added[$]; }
  static void reverse(Object values) {}
  static void shuffle(Object values) {}
  static Object max(Object values, Object order) { order.compare(values[$], values[$]); __ask(values[$], "compareTo", values[$]); return values[$]; }
  static Object min(Object values, Object order) { order.compare(values[$], values[$]); __ask(values[$], "compareTo", values[$]); return values[$]; }
  static Object reverseOrder(Object... order) { return (a, b) -> { order[$].compare(a, b); __ask(a, "compareTo", b); }; }
}

class Arrays {
  static Object asList(Object... values) { Object made = new ArrayList(); made[$] = values[$]; return made; }
  static Object stream(Object values) { Object made = new Stream(); made[$] = values[$]; return made; }
  static void sort(Object values, Object order) { order.compare(values[$], values[$]); __ask(values[$], "compareTo", values[$]); }
  static void fill(Object values, Object value) { values[$] = value; }
  static void setAll(Object values, Object make) { values[$] = make.apply(null); }
  static Object copyOf(Object values) { return values; }
  static Object copyOfRange(Object values) { return values; }
  static Object toString(Object values) { return "text"; }
}

class Objects {
  static Object requireNonNull(Object value, Object... message) { message[$].get(); return value; }
  static Object requireNonNullElse(Object value, Object other) { if (other) { return value; } return other; }
  static Object requireNonNullElseGet(Object value, Object make) { if (make) { return value; } return make.get(); }
  static boolean equals(Object a, Object b) { __ask(a, "equals", b); }
  static int hash(Object... values) {}
  static int hashCode(Object value) {}
  static Object toString(Object value) { __ask(value, "toString"); return "text"; }
  static boolean isNull(Object value) {}
  static boolean nonNull(Object value) {}
}

class Timer {
  void schedule(Object task) { task.run(); }
  void scheduleAtFixedRate(Object task) { task.run(); }
}
class TimerTask {}

interface EventListener {}
