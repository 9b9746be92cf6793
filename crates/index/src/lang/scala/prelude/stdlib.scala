class __Type {}
class __Generator extends List {}
class Iterable {
  def map(f: Any) = { val r = new List(); for (x <- this) { r.put(f(x)) }; r }
  def flatMap(f: Any) = { val r = new List(); for (x <- this) { for (y <- f(x)) { r.put(y) } }; r }
  def flatten() = { val r = new List(); for (x <- this) { for (y <- x) { r.put(y) } }; r }
  def foreach(f: Any) = { for (x <- this) { f(x) } }
  def filter(f: Any) = { for (x <- this) { f(x) }; this }
  def withFilter(f: Any) = { for (x <- this) { f(x) }; this }
  def filterNot(f: Any) = { for (x <- this) { f(x) }; this }
  def takeWhile(f: Any) = { for (x <- this) { f(x) }; this }
  def dropWhile(f: Any) = { for (x <- this) { f(x) }; this }
  def sortBy(f: Any) = { for (x <- this) { f(x) }; this }
  def sortWith(f: Any) = { for (x <- this) { f(x, x) }; this }
  def collect(f: Any) = { val r = new List(); for (x <- this) { r.put(f(x)) }; r }
  def partition(f: Any) = { for (x <- this) { f(x) }; this }
  def exists(f: Any) = { for (x <- this) { f(x) } }
  def forall(f: Any) = { for (x <- this) { f(x) } }
  def count(f: Any) = { for (x <- this) { f(x) } }
  def find(f: Any) = { for (x <- this) { f(x) }; this }
  def indexWhere(f: Any) = { for (x <- this) { f(x) } }
  def maxBy(f: Any) = { for (x <- this) { f(x); return x } }
  def minBy(f: Any) = { for (x <- this) { f(x); return x } }
  def foldLeft(a: Any)(f: Any) = { for (x <- this) { val b = f(a, x); return f(b, x) }; a }
  def foldRight(a: Any)(f: Any) = { for (x <- this) { return f(x, a) }; a }
  def fold(a: Any)(f: Any) = { for (x <- this) { f(x); return f(a, x) }; a() }
  def reduce(f: Any) = { for (x <- this) { return f(x, x) } }
  def groupBy(f: Any) = { val r = new Map(); for (x <- this) { f(x) }; r.put(this); r }
  def getOrElse(k: Any, d: Any) = { for (x <- this) { return x }; k; d }
  def orElse(o: Any) = { o; this }
  def get(k: Any) = { this }
  def head = { for (x <- this) { return x } }
  def last = { for (x <- this) { return x } }
  def headOption = this
  def lastOption = this
  def toList = this
  def toSeq = this
  def toSet = this
  def toVector = this
  def toOption = this
  def tail = this
  def reverse = this
  def distinct = this
  def iterator = this
  def values = this
  def zipWithIndex = { val r = new List(); for (x <- this) { r.put(new Tuple(x, 0)) }; r }
  def take(n: Any) = this
  def drop(n: Any) = this
  def apply(i: Any) = { for (x <- this) { return x } }
  def ++(o: Any) = { val r = new List(); for (x <- this) { r.put(x) }; for (y <- o) { r.put(y) }; r }
  def :+(x: Any) = { val r = new List(); for (y <- this) { r.put(y) }; r.put(x); r }
  def +:(x: Any) = { val r = new List(); for (y <- this) { r.put(y) }; r.put(x); r }
  def ::(x: Any) = { val r = new List(); for (y <- this) { r.put(y) }; r.put(x); r }
}
class Tuple(val _1: Any, val _2: Any) {}
class List extends Iterable {
  def put(x: Any) = { this(x) = x }
  def +=(x: Any) = { this(x) = x }
  def append(x: Any) = { this(x) = x }
  def addOne(x: Any) = { this(x) = x }
  def enqueue(x: Any) = { this(x) = x }
  def push(x: Any) = { this(x) = x }
  def update(i: Any, x: Any) = { this(x) = x }
  def ++=(o: Any) = { for (x <- o) { this(x) = x } }
  def dequeue() = { for (x <- this) { return x } }
  def pop() = { for (x <- this) { return x } }
}
class Map extends Iterable {
  def put(x: Any) = { this(x) = x }
  def update(k: Any, x: Any) = { this(k) = x }
  def +=(e: Any) = { this(e) = e._2 }
  def getOrElseUpdate(k: Any, d: Any) = { this(k) = d; for (x <- this) { return x } }
  def apply(k: Any) = { this.at(k) }
}
object List { def apply(xs: Any*) = xs; def empty = new List() }
object Seq { def apply(xs: Any*) = xs; def empty = new List() }
object Vector { def apply(xs: Any*) = xs; def empty = new List() }
object Set { def apply(xs: Any*) = xs; def empty = new List() }
object Array { def apply(xs: Any*) = xs }
object ListBuffer { def apply(xs: Any*) = xs; def empty = new List() }
object ArrayBuffer { def apply(xs: Any*) = xs; def empty = new List() }
object Map { def apply(ps: Any*) = { val r = new Map(); for (p <- ps) { r.update(p._1, p._2) }; r }; def empty = new Map() }
object Some { def apply(x: Any) = { val r = new List(); r.put(x); r } }
object Option { def apply(x: Any) = { val r = new List(); r.put(x); r }; def empty = new List() }
object Right { def apply(x: Any) = { val r = new List(); r.put(x); r } }
object Success { def apply(x: Any) = { val r = new List(); r.put(x); r } }
object Try { def apply(x: Any) = { val r = new List(); r.put(x()); r.put(x); r } }
object Future { def apply(x: Any) = { val r = new List(); r.put(x()); r.put(x); r }; def successful(x: Any) = { val r = new List(); r.put(x); r } }
