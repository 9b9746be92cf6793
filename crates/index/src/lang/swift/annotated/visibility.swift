open class Open {
//> class Open vis=public
    open func a() {}
//> method Open.a vis=public
    public func b() {}
//> method Open.b vis=public
    package func c() {}
//> method Open.c vis=internal
    internal func d() {}
//> method Open.d vis=internal
    func e() {}
//> method Open.e vis=internal
    fileprivate func f() {}
//> method Open.f vis=private
    private func g() {}
//> method Open.g vis=private
    private(set) var h = 1
//> field Open.h vis=internal
}
private struct Secret {
//> struct Secret vis=private
    var a = 1
//> field Secret.a vis=private
    enum Kind { case one }
//> enum Secret.Kind vis=private
//> enum_member Secret.Kind.one vis=private
}
enum Internal { case one }
//> enum Internal vis=internal
//> enum_member Internal.one vis=internal
public struct Exposed {
//> struct Exposed vis=public
    enum Inner { case a }
//> enum Exposed.Inner vis=internal
//> enum_member Exposed.Inner.a vis=internal
}
