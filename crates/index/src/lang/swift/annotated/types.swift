/// A shape on a canvas.
///
/// More about it.
@available(iOS 13, macOS 10.15, *)
@objcMembers
public final class Shape<Unit: Equatable>: Base, Drawable where Unit: Hashable {
//> class Shape vis=public mods=final end=22 col=20 sig="public final class Shape<Unit: Equatable>: Base, Drawable where Unit: Hashable" doc="A shape on a canvas." deco="available(iOS 13, macOS 10.15, *)" deco="objcMembers"
    /**
     A corner of it.

     Corners are numbered.
     */
    struct Corner: Sendable {
//> struct Shape.Corner vis=internal end=6 sig="struct Corner: Sendable" doc="A corner of it."
        enum Kind {
//> enum Shape.Corner.Kind sig="enum Kind"
            case round
//> enum_member Shape.Corner.Kind.round vis=internal sig="case round"
        }

        let kind: Kind
//> field Shape.Corner.kind mods=readonly
    }

    typealias Corners = [String: Corner]
//> type_alias Shape.Corners vis=internal sig="typealias Corners = [String: Corner]"

    init() {}
//> constructor Shape.init vis=internal cc=1 sig="init()"

    // Not a doc.
    deinit {
//> method Shape.deinit sig="deinit" doc=""
        release()
    }
}

public enum Weather: String, CaseIterable {
//> enum Weather vis=public sig="public enum Weather: String, CaseIterable" end=11
    /// Warm and dry.
    case sunny, cloudy = "grey"
//> enum_member Weather.sunny vis=public sig="case sunny, cloudy = "grey"" doc="Warm and dry."
//> enum_member Weather.cloudy vis=public col=17
    case rain(Int, unit: String)
//> enum_member Weather.rain sig="case rain(Int, unit: String)"
    indirect case worse(Weather)
//> enum_member Weather.worse sig="indirect case worse(Weather)"
    @available(*, deprecated)
    case `default`
//> enum_member Weather.default deco="available(*, deprecated)" sig="case `default`"

    var isWet: Bool {
//> method Weather.isWet vis=internal mods=property,getter cc=1 sig="var isWet: Bool" end=2
        self == .rain(1, unit: "mm")
    }
}

public protocol Drawable: AnyObject {
//> interface Drawable vis=public sig="public protocol Drawable: AnyObject"
    associatedtype Canvas: Surface where Canvas.Pixel == Int
//> type_alias Drawable.Canvas vis=public sig="associatedtype Canvas: Surface where Canvas.Pixel == Int"

    /// Its name.
    var name: String { get }
//> field Drawable.name vis=public mods=readonly sig="var name: String { get }" doc="Its name."
    static var count: Int { get set }
//> field Drawable.count mods=static
    func draw(on canvas: Canvas) async throws
//> method Drawable.draw vis=public mods=async cc=1 sig="func draw(on canvas: Canvas) async throws"
    mutating func clear()
//> method Drawable.clear sig="mutating func clear()"
    init(name: String)
//> constructor Drawable.init vis=public sig="init(name: String)"
    subscript(index: Int) -> Canvas { get }
//> method Drawable.subscript mods=getter sig="subscript(index: Int) -> Canvas"
    @objc optional func tapped()
//> method Drawable.tapped mods=optional deco="objc" sig="optional func tapped()"
}

private protocol Hidden {
//> interface Hidden vis=private
    func hidden()
//> method Hidden.hidden vis=private
}

actor Store {
//> class Store vis=internal sig="actor Store"
    nonisolated func peek() {}
//> method Store.peek sig="nonisolated func peek()"
}

distributed actor Remote {}
//> class Remote sig="distributed actor Remote"

extension Shape.Corner: Hidden where Unit: Numeric {
    func hidden() {}
//> method Shape.Corner.hidden vis=internal
    enum Side { case left }
//> enum Shape.Corner.Side
//> enum_member Shape.Corner.Side.left
}

public extension [Int] {
    func total() -> Int { 0 }
//> method Array.total vis=public
    private var half: Int { 0 }
//> method Array.half vis=private
}

fileprivate extension Optional<String> {
    var orEmpty: String { self ?? "" }
//> method Optional.orEmpty vis=private cc=1
}
