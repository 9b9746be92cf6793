import SwiftUI
//> import * from SwiftUI *

let limit = 10
//> constant limit vis=internal sig="let limit = 10"
public var verbose = false
//> static verbose vis=public sig="public var verbose = false"
let (first, (second, _)) = split()
//> constant first
//> constant second
var answer: Int { 42 }
//> function answer mods=property,getter sig="var answer: Int"
let double = { (x: Int) -> Int in x * 2 }
//> function double cc=1 sig="let double = { (x: Int) -> Int"

class Model {
//> class Model
    /// How many.
    @Published public private(set) var count: Int = 0
//> field Model.count vis=public mods=- deco="Published" sig="public private(set) var count: Int = 0" doc="How many."
    let width, height: Double
//> field Model.width mods=readonly sig="let width, height: Double"
//> field Model.height mods=readonly
    var a = 1, b = 2
//> field Model.a mods=-
//> field Model.b col=16
    static let shared = Model()
//> constant Model.shared mods=static sig="static let shared = Model()"
    static var made = 0
//> field Model.made mods=static
    class var kind: String { "model" }
//> method Model.kind mods=property,classmethod,getter sig="class var kind: String"
    weak var delegate: Delegate?
//> field Model.delegate sig="weak var delegate: Delegate?"
    lazy var formatter: Formatter = {
//> field Model.formatter end=4
        if verbose { return Formatter() }
        let inner = 1
        return Formatter(inner)
    }()
    let onTap: (Int) -> Void = { value in
//> method Model.onTap cc=2 sig="let onTap: (Int) -> Void"
        if value > 0 { print(value) }
    }
    private let handlers = [{ print(1) }]
//> field Model.handlers vis=private

    var area: Double { width * height }
//> method Model.area mods=property,getter
    /// Both ways.
    var both: Int {
//> method Model.both mods=property,getter,setter cc=3 doc="Both ways." end=10 sig="var both: Int"
        get {
            let local = a > b ? a : b
            return local
        }
        set(value) {
            if value > 0 {
                a = value
            }
        }
    }
    var remote: Int {
//> method Model.remote mods=property,getter
        get async throws { 1 }
    }
    @State var observed: Int = 0 {
//> field Model.observed deco="State" sig="var observed: Int = 0" end=5
        willSet { print(newValue) }
//> method Model.observed.willSet vis=private cc=1 sig="willSet"
        didSet(old) {
//> method Model.observed.didSet cc=2 sig="didSet(old)" end=2
            if old != observed { save() }
        }
    }

    subscript(index: Int) -> Int {
//> method Model.subscript mods=getter,setter sig="subscript(index: Int) -> Int"
        get { index }
        set { a = newValue }
    }
    static subscript(key: String) -> Int { 0 }
//> method Model.subscript#2 mods=static,getter
}

func scope() {
//> function scope cc=2
    let local = 1
    var computed: Int { if local > 0 { return 1 }; return 2 }
    let helper = { (x: Int) in x > 0 && x < 9 }
//> function scope.helper vis=private cc=2
    struct Inner { var field = 0 }
//> struct scope.Inner vis=private
//> field scope.Inner.field vis=private
}

if verbose {
    let notOfTheModule = 1
}
