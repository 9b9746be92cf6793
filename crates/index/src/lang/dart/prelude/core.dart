class __Type {}
class Iterable {
  map(f) { var r = List(); for (var x in this) r.add(f(x)); return r; }
  expand(f) { var r = List(); for (var x in this) for (var y in f(x)) r.add(y); return r; }
  where(f) { for (var x in this) f(x); return this; }
  whereType() { return this; }
  takeWhile(f) { for (var x in this) f(x); return this; }
  skipWhile(f) { for (var x in this) f(x); return this; }
  forEach(f) { for (var x in this) f(x); }
  any(f) { for (var x in this) f(x); }
  every(f) { for (var x in this) f(x); }
  firstWhere(f, {orElse}) { orElse(); for (var x in this) { f(x); return x; } }
  lastWhere(f, {orElse}) { orElse(); for (var x in this) { f(x); return x; } }
  singleWhere(f, {orElse}) { for (var x in this) { f(x); return x; } }
  indexWhere(f) { for (var x in this) f(x); }
  removeWhere(f) { for (var x in this) f(x); }
  fold(a, f) { for (var x in this) { var b = f(a, x); return f(b, x); } return a; }
  reduce(f) { for (var x in this) return f(x, x); }
  sort(f) { for (var x in this) f(x, x); }
  get first { for (var x in this) return x; }
  get last { for (var x in this) return x; }
  get single { for (var x in this) return x; }
  get firstOrNull { for (var x in this) return x; }
  get reversed => this;
  get iterator => this;
  elementAt(i) { for (var x in this) return x; }
  toList({growable}) { var r = List(); for (var x in this) r.add(x); return r; }
  toSet() { return this; }
  take(n) { return this; }
  skip(n) { return this; }
  followedBy(o) { var r = List(); for (var x in this) r.add(x); for (var y in o) r.add(y); return r; }
  cast() { return this; }
  join(s) {}
}
class List extends Iterable {
  add(x) { this[x] = x; }
  addAll(o) { for (var x in o) this[x] = x; }
  insert(i, x) { this[x] = x; }
  addLast(x) { this[x] = x; }
  addFirst(x) { this[x] = x; }
  removeLast() { for (var x in this) return x; }
  removeFirst() { for (var x in this) return x; }
  removeAt(i) { for (var x in this) return x; }
  remove(x) {}
  clear() {}
  contains(x) {}
  static from(o) { var r = List(); for (var x in o) r.add(x); return r; }
  static of(o) { var r = List(); for (var x in o) r.add(x); return r; }
  static filled(n, x) { var r = List(); r.add(x); return r; }
  static generate(n, f) { var r = List(); r.add(f(n)); return r; }
}
class Set extends List {}
class Queue extends List {}
class __Generator extends Iterable { listen(f, {onError, onDone}) { for (var x in this) f(x); onDone(); } }
class MapEntry {}
class Map {
  get values { var r = List(); r.add(this[r]); return r; }
  get keys => List();
  get entries { var r = List(); var e = MapEntry(); e.value = this[e]; r.add(e); return r; }
  putIfAbsent(k, f) { this[k] = f(); return this[k]; }
  update(k, f, {ifAbsent}) { this[k] = f(this[k]); this[k] = ifAbsent(); return this[k]; }
  addAll(o) { this[o] = o[o]; }
  forEach(f) { f(null, this[f]); }
  map(f) { f(null, this[f]); }
  remove(k) { return this[k]; }
  containsKey(k) {}
}
class Future {
  then(f, {onError}) async { return await f(await this); }
  catchError(f) { f(); return this; }
  whenComplete(f) { f(); return this; }
  static value(x) async { return await x; }
  static delayed(d, f) async { return await f(); }
  static wait(o) async { var r = List(); for (var x in o) r.add(await x); return r; }
  static forEach(o, f) async { for (var x in o) f(x); }
  static microtask(f) async { return await f(); }
}
class Timer { Timer(d, f) { f(); } static periodic(d, f) { f(null); } static run(f) { f(); } }
class StreamController {
  add(x) { this[x] = x; }
  get stream { var r = Stream(); r[r] = this[r]; return r; }
  close() {}
}
class Stream extends Iterable { listen(f, {onError, onDone}) { for (var x in this) f(x); onDone(); } }
scheduleMicrotask(f) { f(); }
runZoned(f) { return f(); }
