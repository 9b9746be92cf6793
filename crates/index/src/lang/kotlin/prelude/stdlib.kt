class __Type
class __Generator : Iterable
class String
open class Iterable {
    fun forEach(f: Any) { for (x in this) f(x) }
    fun onEach(f: Any): Any { for (x in this) f(x); return this }
    fun forEachIndexed(f: Any) { for (x in this) f(0, x) }
    fun map(f: Any): Any { val r = List(); for (x in this) r.add(f(x)); return r }
    fun mapNotNull(f: Any): Any { return map(f) }
    fun mapIndexed(f: Any): Any { val r = List(); for (x in this) r.add(f(0, x)); return r }
    fun flatMap(f: Any): Any { val r = List(); for (x in this) for (y in f(x)) r.add(y); return r }
    fun flatten(): Any { val r = List(); for (x in this) for (y in x) r.add(y); return r }
    fun filter(f: Any): Any { for (x in this) f(x); return this }
    fun filterNot(f: Any): Any { for (x in this) f(x); return this }
    fun takeWhile(f: Any): Any { for (x in this) f(x); return this }
    fun dropWhile(f: Any): Any { for (x in this) f(x); return this }
    fun removeIf(f: Any): Any { for (x in this) f(x) }
    fun removeAll(f: Any): Any { for (x in this) f(x) }
    fun partition(f: Any): Any { for (x in this) f(x); return Pair(this, this) }
    fun sortedBy(f: Any): Any { for (x in this) f(x); return this }
    fun sortedByDescending(f: Any): Any { for (x in this) f(x); return this }
    fun sortedWith(f: Any): Any { for (x in this) { f(x, x); f.compare(x, x) }; return this }
    fun sortBy(f: Any): Any { for (x in this) f(x) }
    fun distinctBy(f: Any): Any { for (x in this) f(x); return this }
    fun any(f: Any) { for (x in this) f(x) }
    fun all(f: Any) { for (x in this) f(x) }
    fun none(f: Any) { for (x in this) f(x) }
    fun count(f: Any) { for (x in this) f(x) }
    fun sumOf(f: Any) { for (x in this) f(x) }
    fun sumBy(f: Any) { for (x in this) f(x) }
    fun joinToString(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) { for (x in this) { a(x); f(x) } }
    fun indexOfFirst(f: Any) { for (x in this) f(x) }
    fun find(f: Any): Any { for (x in this) { f(x); return x } }
    fun first(f: Any): Any { for (x in this) { f(x); return x } }
    fun firstOrNull(f: Any): Any { for (x in this) { f(x); return x } }
    fun last(f: Any): Any { for (x in this) { f(x); return x } }
    fun lastOrNull(f: Any): Any { for (x in this) { f(x); return x } }
    fun single(f: Any): Any { for (x in this) { f(x); return x } }
    fun maxByOrNull(f: Any): Any { for (x in this) { f(x); return x } }
    fun minByOrNull(f: Any): Any { for (x in this) { f(x); return x } }
    fun maxBy(f: Any): Any { for (x in this) { f(x); return x } }
    fun minBy(f: Any): Any { for (x in this) { f(x); return x } }
    fun maxOf(f: Any): Any { for (x in this) f(x) }
    fun fold(a: Any, f: Any): Any { for (x in this) { val b = f(a, x); return f(b, x) } }
    fun reduce(f: Any): Any { for (x in this) return f(x, x) }
    fun groupBy(f: Any): Any { val r = Map(); for (x in this) { f(x); r.put(x, this) }; return r }
    fun associateBy(f: Any): Any { val r = Map(); for (x in this) { f(x); r.put(x, x) }; return r }
    fun associateWith(f: Any): Any { val r = Map(); for (x in this) { r.put(x, f(x)) }; return r }
    fun associate(f: Any): Any { val r = Map(); for (x in this) { r.put(x, f(x).second) }; return r }
    fun zip(o: Any): Any { val r = List(); for (x in this) for (y in o) r.add(Pair(x, y)); return r }
    fun withIndex(): Any { val r = List(); for (x in this) r.add(Pair(0, x)); return r }
    fun plus(o: Any): Any { val r = List(); for (x in this) r.add(x); for (y in o) r.add(y); r.add(o); return r }
    fun toList(): Any { return this }
    fun toMutableList(): Any { return this }
    fun toSet(): Any { return this }
    fun asSequence(): Any { return this }
    fun asReversed(): Any { return this }
    fun reversed(): Any { return this }
    fun filterNotNull(): Any { return this }
    fun filterIsInstance(): Any { return this }
    fun take(n: Any): Any { return this }
    fun drop(n: Any): Any { return this }
    fun sorted(): Any { return this }
    fun distinct(): Any { return this }
    fun chunked(n: Any): Any { val r = List(); r.add(this); return r }
    fun random(): Any { for (x in this) return x }
    fun elementAt(i: Any): Any { for (x in this) return x }
    fun getOrNull(i: Any): Any { for (x in this) return x }
    fun getOrElse(i: Any, f: Any): Any { for (x in this) return x; return f(i) }
    fun get(i: Any): Any { return this[i] }
}
open class List : Iterable() {
    fun add(x: Any, y: Any) { this[x] = x; this[x] = y }
    fun addAll(o: Any) { for (x in o) this[x] = x }
    fun plusAssign(x: Any) { this[x] = x }
    fun addLast(x: Any) { this[x] = x }
    fun addFirst(x: Any) { this[x] = x }
    fun push(x: Any) { this[x] = x }
    fun offer(x: Any) { this[x] = x }
    fun set(i: Any, x: Any) { this[x] = x }
    fun removeFirst(): Any { for (x in this) return x }
    fun removeLast(): Any { for (x in this) return x }
    fun removeAt(i: Any): Any { for (x in this) return x }
    fun pop(): Any { for (x in this) return x }
    fun poll(): Any { for (x in this) return x }
    fun peek(): Any { for (x in this) return x }
    fun size() {}
    fun remove(x: Any) {}
    fun clear() {}
    fun contains(x: Any) {}
    fun isEmpty() {}
}
class ArrayList : List()
class ArrayDeque : List()
class HashSet : List()
class LinkedHashSet : List()
open class Map : Iterable() {
    val values: Any get() { val r = List(); for (x in this) r.add(x.value); return r }
    val entries: Any get() = this
    fun put(k: Any, x: Any) { this[k] = x }
    fun set(k: Any, x: Any) { this[k] = x }
    fun get(k: Any): Any { return this[k] }
    fun getValue(k: Any): Any { return this[k] }
    fun getOrDefault(k: Any, d: Any): Any { return this[k] }
    fun getOrPut(k: Any, f: Any): Any { this[k] = f(); return this[k] }
    fun getOrElse(k: Any, f: Any): Any { f(); return this[k] }
    fun computeIfAbsent(k: Any, f: Any): Any { this[k] = f(k); return this[k] }
    fun putAll(o: Any) { for (x in o) this[x] = x.value }
    fun mapValues(f: Any): Any { val r = Map(); for (x in this) r.put(x, f(x)); return r }
    fun iterator(): Any { val r = List(); val e = __Entry(); e.value = this[e]; e[1] = this[e]; r.add(e); return r }
    fun containsKey(k: Any) {}
    fun remove(k: Any): Any { return this[k] }
}
class __Entry
class HashMap : Map()
class LinkedHashMap : Map()
class Pair(val first: Any, val second: Any) { init { this[0] = first; this[1] = second } }
class Triple(val first: Any, val second: Any, val third: Any) { init { this[0] = first; this[1] = second; this[2] = third } }
fun listOf(vararg xs: Any): Any { return xs }
fun mutableListOf(vararg xs: Any): Any { return xs }
fun arrayListOf(vararg xs: Any): Any { return xs }
fun arrayOf(vararg xs: Any): Any { return xs }
fun setOf(vararg xs: Any): Any { return xs }
fun mutableSetOf(vararg xs: Any): Any { return xs }
fun hashSetOf(vararg xs: Any): Any { return xs }
fun sequenceOf(vararg xs: Any): Any { return xs }
fun listOfNotNull(vararg xs: Any): Any { return xs }
fun emptyList(): Any { return List() }
fun emptyMap(): Any { return Map() }
fun mapOf(vararg ps: Any): Any { val r = Map(); for (p in ps) r[p.first] = p.second; return r }
fun mutableMapOf(vararg ps: Any): Any { val r = Map(); for (p in ps) r[p.first] = p.second; return r }
fun hashMapOf(vararg ps: Any): Any { val r = Map(); for (p in ps) r[p.first] = p.second; return r }
fun linkedMapOf(vararg ps: Any): Any { val r = Map(); for (p in ps) r[p.first] = p.second; return r }
fun List(n: Any, f: Any): Any { val r = List(); r.add(f(n)); return r }
fun repeat(n: Any, f: Any) { f(n) }
fun run(f: Any): Any { return f() }
fun lazy(f: Any): Any { return f() }
fun runCatching(f: Any): Any { return f() }
fun synchronized(l: Any, f: Any): Any { return f() }
fun thread(f: Any) { f() }
fun sequence(f: Any): Any { return f() }
fun runBlocking(f: Any): Any { return f() }
fun coroutineScope(f: Any): Any { return f() }
fun withContext(c: Any, f: Any): Any { return f() }
fun launch(f: Any): Any { return f() }
fun async(f: Any): Any { return Deferred(f()) }
class Deferred(val value: Any) { fun await(): Any { return value } }
fun compareBy(vararg fs: Any): Any { return { a, b -> fs[0](a) } }
fun requireNotNull(x: Any): Any { return x }
fun checkNotNull(x: Any): Any { return x }
class Thread(val work: Any) { fun start() { work(); work.run() } }
