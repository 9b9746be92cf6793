/// Adds.
///
/// - Parameter a: one
public func add(_ a: Int, to b: Int = 0) -> Int {
//> function add vis=public cc=1 mods=- sig="public func add(_ a: Int, to b: Int = 0) -> Int" doc="Adds." end=2
    return a + b
}

func generic<T, each U>(x: T, y: repeat each U) throws(Failure) -> some View where T: P {}
//> function generic sig="func generic<T, each U>(x: T, y: repeat each U) throws(Failure) -> some View where T: P"

@discardableResult
@inlinable public func load(
//> function load vis=public mods=async deco="discardableResult" deco="inlinable" sig="public func load(from url: URL, with options: [Option] = []) async throws -> Data" end=8
    from url: URL,
    with options: [Option] = []
) async throws -> Data {
    func inner() { }
//> function load.inner vis=private
    let items = options.map { $0.value }
    return items.reduce(Data()) { (sum: Data, item: Data) -> Data in
//> function load.<lambda2> sig="(sum: Data, item: Data) -> Data"
        sum + item }
}

infix operator +++: AdditionPrecedence
precedencegroup Strong { associativity: left }
func +++ (a: Int, b: Int) -> Int { a }
//> function +++ sig="func +++ (a: Int, b: Int) -> Int"
prefix func ! (a: Point) -> Bool { false }
//> function ! sig="prefix func ! (a: Point) -> Bool"

@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: "Macros", type: "Stringify")
//> macro stringify vis=public deco="freestanding(expression)" sig="public macro stringify<T>(_ value: T) -> (T, String)"

struct Point: Equatable {
//> struct Point
    static func == (lhs: Point, rhs: Point) -> Bool { true }
//> method Point.== mods=static cc=1 sig="static func == (lhs: Point, rhs: Point) -> Bool"
    static func && (lhs: Point, rhs: Point) -> Bool { true }
//> method Point.&& cc=1
    static func < <T>(lhs: Point, rhs: T) -> Bool { true }
//> method Point.< cc=1
    mutating func move(by dx: Int) {}
//> method Point.move sig="mutating func move(by dx: Int)"
    func `repeat`() {}
//> method Point.repeat sig="func `repeat`()"
    func move(to x: Int) {}
//> method Point.move#2
    func callAsFunction() {}
//> method Point.callAsFunction
    static prefix func - (a: Point) -> Point { a }
//> method Point.-
}

class View: Base {
//> class View
    override class func make() -> Self { fatalError() }
//> method View.make mods=override,classmethod sig="override class func make() -> Self"
    required init?(coder: Coder) { super.init(coder: coder) }
//> constructor View.init sig="required init?(coder: Coder)"
    convenience init<T>(_ x: T) async throws where T: P { self.init() }
//> constructor View.init#2 mods=async
    @objc(tap:) open override func tap(_ sender: Any) {}
//> method View.tap vis=public mods=override deco="objc(tap:)" sig="open override func tap(_ sender: Any)"
    @IBAction private func press() {}
//> method View.press vis=private deco="IBAction"
    final func last() {}
//> method View.last mods=final
}
