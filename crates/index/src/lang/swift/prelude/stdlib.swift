class __Type {}
class __Generator: Sequence {}
class Sequence {
    func map(_ f: Any) -> Any { let r = Array(); for x in self { r.append(f(x)) }; return r }
    func compactMap(_ f: Any) -> Any { return map(f) }
    func flatMap(_ f: Any) -> Any { let r = Array(); for x in self { for y in f(x) { r.append(y) } }; return r }
    func filter(_ f: Any) -> Any { for x in self { f(x) }; return self }
    func forEach(_ f: Any) { for x in self { f(x) } }
    func reduce(_ a: Any, _ f: Any) -> Any { for x in self { let b = f(a, x); return f(b, x) } }
    func sorted(by f: Any) -> Any { for x in self { f(x, x) }; return self }
    func sort(by f: Any) { for x in self { f(x, x) } }
    func contains(where f: Any) { for x in self { f(x) } }
    func allSatisfy(_ f: Any) { for x in self { f(x) } }
    func removeAll(where f: Any) { for x in self { f(x) } }
    func first(where f: Any) -> Any { for x in self { f(x); return x } }
    func last(where f: Any) -> Any { for x in self { f(x); return x } }
    func firstIndex(where f: Any) { for x in self { f(x) } }
    func max(by f: Any) -> Any { for x in self { f(x, x); return x } }
    func min(by f: Any) -> Any { for x in self { f(x, x); return x } }
    func prefix(_ n: Any) -> Any { return self }
    func suffix(_ n: Any) -> Any { return self }
    func dropFirst(_ n: Any) -> Any { return self }
    func reversed() -> Any { return self }
    func shuffled() -> Any { return self }
    func joined(separator: Any) -> Any {}
    func enumerated() -> Any { let r = Array(); for x in self { r.append(Pair(x)) }; return r }
    func randomElement() -> Any { for x in self { return x } }
    var first: Any { for x in self { return x } }
    var last: Any { for x in self { return x } }
    var lazy: Any { return self }
}
class Pair { init(_ x: Any) { self[1] = x; self.element = x } }
class Array: Sequence {
    init(_ o: Any) { for x in o { self[x] = x } }
    func append(_ x: Any) { self[x] = x }
    func append(contentsOf o: Any) { for x in o { self[x] = x } }
    func insert(_ x: Any, at i: Any) { self[x] = x }
    func removeLast() -> Any { for x in self { return x } }
    func removeFirst() -> Any { for x in self { return x } }
    func popLast() -> Any { for x in self { return x } }
    func remove(at i: Any) -> Any { for x in self { return x } }
}
class Set: Array {}
class Dictionary: Sequence {
    var values: Any { let r = Array(); for x in self { r.append(x.value) }; return r }
    var keys: Any { return Array() }
    func makeIterator() -> Any { let r = Array(); let e = DictEntry(); e.value = self[e]; e[1] = self[e]; r.append(e); return r }
    func mapValues(_ f: Any) -> Any { let r = Dictionary(); r[f] = f(self[f]); return r }
    func removeValue(forKey k: Any) -> Any { return self[k] }
    func updateValue(_ x: Any, forKey k: Any) { self[k] = x }
}
class DictEntry {}
class DispatchQueue { static var main: Any { return DispatchQueue() }; static func global() -> Any { return DispatchQueue() }; func async(_ f: Any) { f() }; func sync(_ f: Any) -> Any { return f() }; func asyncAfter(deadline: Any, _ f: Any) { f() } }
class Task { init(_ f: Any) { f() } }
class Thread { init(_ f: Any) { self.f = f }; func start() { self.f() } }
