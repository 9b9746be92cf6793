class __Type { }
class Delegate { }
class IEnumerable<T>
{
    object Where(object f) { var r = new List(); foreach (var x in this) { f(x); r.Add(x); } return r; }
    object Select(object f) { var r = new List(); foreach (var x in this) r.Add(f(x)); return r; }
    object SelectMany(object f, object g) { var r = new List(); foreach (var x in this) foreach (var y in f(x)) { r.Add(y); r.Add(g(x, y)); } return r; }
    object OrderBy(object f) { foreach (var x in this) f(x); return this; }
    object OrderByDescending(object f) { foreach (var x in this) f(x); return this; }
    object ThenBy(object f) { foreach (var x in this) f(x); return this; }
    object ThenByDescending(object f) { foreach (var x in this) f(x); return this; }
    object GroupBy(object f, object g) { var r = new List(); foreach (var x in this) { f(x); g(x); } r.Add(this); return r; }
    object Any(object f) { foreach (var x in this) f(x); }
    object All(object f) { foreach (var x in this) f(x); }
    object Count(object f) { foreach (var x in this) f(x); }
    object Sum(object f) { foreach (var x in this) f(x); }
    object Average(object f) { foreach (var x in this) f(x); }
    object Max(object f) { foreach (var x in this) { f(x); return x; } }
    object Min(object f) { foreach (var x in this) { f(x); return x; } }
    object MaxBy(object f) { foreach (var x in this) { f(x); return x; } }
    object MinBy(object f) { foreach (var x in this) { f(x); return x; } }
    object First(object f) { foreach (var x in this) { f(x); return x; } }
    object FirstOrDefault(object f) { foreach (var x in this) { f(x); return x; } }
    object Last(object f) { foreach (var x in this) { f(x); return x; } }
    object LastOrDefault(object f) { foreach (var x in this) { f(x); return x; } }
    object Single(object f) { foreach (var x in this) { f(x); return x; } }
    object SingleOrDefault(object f) { foreach (var x in this) { f(x); return x; } }
    object Find(object f) { foreach (var x in this) { f(x); return x; } }
    object FindAll(object f) { foreach (var x in this) f(x); return this; }
    object Exists(object f) { foreach (var x in this) f(x); }
    object TrueForAll(object f) { foreach (var x in this) f(x); }
    object FindIndex(object f) { foreach (var x in this) f(x); }
    object RemoveAll(object f) { foreach (var x in this) f(x); }
    object ElementAt(object i) { foreach (var x in this) return x; }
    object TakeWhile(object f) { foreach (var x in this) f(x); return this; }
    object SkipWhile(object f) { foreach (var x in this) f(x); return this; }
    object Take(object n) { return this; }
    object Skip(object n) { return this; }
    object Reverse() { return this; }
    object Distinct() { return this; }
    object AsEnumerable() { return this; }
    object AsReadOnly() { return this; }
    object Cast() { return this; }
    object OfType() { return this; }
    object Append(object y) { var r = new List(); foreach (var x in this) r.Add(x); r.Add(y); return r; }
    object Concat(object o) { var r = new List(); foreach (var x in this) r.Add(x); foreach (var y in o) r.Add(y); return r; }
    object Union(object o) { return Concat(o); }
    object Zip(object o, object f) { var r = new List(); foreach (var x in this) foreach (var y in o) r.Add(f(x, y)); return r; }
    object Aggregate(object a, object f) { foreach (var x in this) { var b = f(a, x); var c = f(b, x); a(x, x); return c; } }
    object ToList() { var r = new List(); foreach (var x in this) r.Add(x); return r; }
    object ToArray() { var r = new List(); foreach (var x in this) r.Add(x); return r; }
    object ToHashSet() { var r = new List(); foreach (var x in this) r.Add(x); return r; }
    object ToDictionary(object f, object g) { var r = new Dictionary(); foreach (var x in this) { f(x); r.Values.Add(g == null ? x : g(x)); r.Put(g(x)); r.Put(x); } return r; }
    object ToLookup(object f) { foreach (var x in this) f(x); return this; }
    object ForEach(object f) { foreach (var x in this) f(x); }
}
class List<T> : IEnumerable<T>
{
    object Add(object x) { this[x] = x; }
    object AddRange(object o) { foreach (var x in o) this[x] = x; }
    object Insert(object i, object x) { this[x] = x; }
    object Enqueue(object x) { this[x] = x; }
    object Push(object x) { this[x] = x; }
    object AddLast(object x) { this[x] = x; }
    object AddFirst(object x) { this[x] = x; }
    object TryAdd(object x) { this[x] = x; }
    object Dequeue() { foreach (var x in this) return x; }
    object Pop() { foreach (var x in this) return x; }
    object Peek() { foreach (var x in this) return x; }
    object Sort(object f) { foreach (var x in this) f(x, x); }
    object ConvertAll(object f) { return Select(f); }
}
class Dictionary<K, V> : IEnumerable<V>
{
    object Keys => this;
    object Values { get { var r = new List(); foreach (var x in this) r.Add(x.Value); return r; } }
    object Put(object x) { this[x] = x; }
    object Add(object k, object x) { this[k] = x; }
    object TryAdd(object k, object x) { this[k] = x; }
    object GetValueOrDefault(object k) { return this[k]; }
    object GetOrAdd(object k, object f) { this[k] = f(k); return this[k]; }
    object GetEnumerator() { var r = new List(); var e = new KeyValuePair(); e.Value = this[e]; r.Add(e); return r; }
}
class KeyValuePair { }
class __Generator : IEnumerable<T> { }
class Task
{
    object Result => await this;
    object ContinueWith(object f) { f(this); return this; }
    object ConfigureAwait(object b) { return this; }
    object Wait() { }
    object GetAwaiter() { return this; }
    object GetResult() { return await this; }
    static object Run(object f) { var x = f(); return FromResult(x); }
    static async object FromResult(object x) { return await x; }
}
class Lazy
{
    Lazy(object f) { this.make = f; }
    object Value => this.make();
}
class Thread
{
    Thread(object f) { this.work = f; }
    object Start(object x) { this.work(x); }
}
class Interlocked { }
class HashSet<T> : List<T> { }
class SortedSet<T> : List<T> { }
class Queue<T> : List<T> { }
class Stack<T> : List<T> { }
class LinkedList<T> : List<T> { }
class ConcurrentBag<T> : List<T> { }
class ConcurrentQueue<T> : List<T> { }
class ObservableCollection<T> : List<T> { }
class ReadOnlyCollection<T> : List<T> { }
class Collection<T> : List<T> { }
class SortedList<T> : List<T> { }
class IList<T> : IEnumerable<T> { }
class ICollection<T> : IEnumerable<T> { }
class IReadOnlyList<T> : IEnumerable<T> { }
class IReadOnlyCollection<T> : IEnumerable<T> { }
class IQueryable<T> : IEnumerable<T> { }
class ISet<T> : IEnumerable<T> { }
class SortedDictionary<K, V> : Dictionary<K, V> { }
class ConcurrentDictionary<K, V> : Dictionary<K, V> { }
