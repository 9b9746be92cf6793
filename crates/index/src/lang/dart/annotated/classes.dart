/// A point in the plane.
///
/// More about it.
@immutable
@Deprecated('Use Vector')
abstract class Point<T extends num> extends Base<T> with Mixin implements Shape {
//> class Point vis=public mods=abstract end=50 col=16 sig="abstract class Point<T extends num> extends Base<T> with Mixin implements Shape" doc="A point in the plane." deco="immutable" deco="Deprecated('Use Vector')"
  /// Where it is.
  final T x, y;
//> field Point.x vis=public mods=final sig="final T x, y" doc="Where it is."
//> field Point.y col=14
  static const int zero = 0;
//> constant Point.zero mods=static,const sig="static const int zero = 0"
  static final cache = <String, int>{};
//> constant Point.cache mods=static,final
  static var made = 0;
//> field Point.made mods=static
  late final String? name;
//> field Point.name mods=final sig="late final String? name"
  int? _hidden = 3;
//> field Point._hidden vis=private
  @JsonKey(name: 'n') covariant num n = 1;
//> field Point.n deco="JsonKey(name: 'n')" sig="covariant num n = 1"
  external int handle;
//> field Point.handle mods=extern
  final void Function(int)? onTap;
//> field Point.onTap
  final compare = (int a, int b) => a > b ? 1 : 2;
//> method Point.compare cc=2 sig="final compare = (int a, int b)"
  final handlers = [() => 1];
//> field Point.handlers

  Point(this.x, this.y);
//> constructor Point.Point vis=public cc=1 mods=- sig="Point(this.x, this.y)"
  /// Another way.
  const Point.named({required this.x, this.y = 0})
//> constructor Point.named mods=const sig="const Point.named({required this.x, this.y = 0})" doc="Another way." end=2
      : n = 1,
        super(x);
  factory Point.fromJson(Map<String, dynamic> json) {
//> constructor Point.fromJson cc=2 sig="factory Point.fromJson(Map<String, dynamic> json)"
    if (json.isEmpty) throw 'empty';
    return Other(json['x']);
  }
  const factory Point.other() = Other.new;
//> constructor Point.other mods=const sig="const factory Point.other() = Other.new"
  Point._() : this(0, 0);
//> constructor Point._ vis=private sig="Point._()"

  int get area => x * y;
//> method Point.area mods=getter sig="int get area"
  set area(int value) { x = value; }
//> method Point.area#2 mods=setter sig="set area(int value)"
  static int get count { return 1; }
//> method Point.count mods=static,getter
  Point operator +(Point other) => other;
//> method Point.+ sig="Point operator +(Point other)"
  @override
  bool operator ==(Object other) => other is Point && other.x == x;
//> method Point.== cc=2 deco="override"
  int operator [](int i) => 1;
//> method Point.[]
  void operator []=(int i, int v) {}
//> method Point.[]=

  @override
  @protected
  Future<void> load(
//> method Point.load mods=async deco="override" deco="protected" end=5 sig="Future<void> load(String a, { int? b, })"
    String a, {
    int? b,
  }) async {
    void inner() {}
//> function Point.load.inner vis=private
  }

  Stream<int> gen() async* { yield 1; }
//> method Point.gen mods=async,generator
  Iterable<int> walk() sync* { yield* []; }
//> method Point.walk mods=generator
  static T _helper<T>() => throw 1;
//> method Point._helper vis=private mods=static
  void draw();
//> method Point.draw mods=abstract sig="void draw()"
  int get size;
//> method Point.size mods=abstract,getter
  external void native();
//> method Point.native mods=extern
}

mixin Swimmer on Animal implements Mover {
//> trait Swimmer sig="mixin Swimmer on Animal implements Mover"
  void swim() {}
//> method Swimmer.swim
}
base mixin class Both {}
//> class Both sig="base mixin class Both"
sealed class Sealed {}
//> class Sealed mods=sealed
final class Applied = A with B;
//> class Applied mods=final sig="final class Applied = A with B"
interface class _Private {}
//> class _Private vis=private

enum Color { red, green, blue }
//> enum Color
//> enum_member Color.red sig="red"
//> enum_member Color.green
//> enum_member Color.blue
enum Planet with M implements I {
//> enum Planet sig="enum Planet with M implements I"
  /// The nearest.
  mercury(0.4),
//> enum_member Planet.mercury sig="mercury(0.4)" doc="The nearest."
  @deprecated
  earth.named(1);
//> enum_member Planet.earth deco="deprecated" sig="earth.named(1)"

  const Planet(this.distance);
//> constructor Planet.Planet mods=const
  final double distance;
//> field Planet.distance mods=final
  bool get isNear => distance < 1;
//> method Planet.isNear mods=getter
}

extension StringTools on String {
  bool get isBlank => trim().isEmpty;
//> method String.isBlank mods=getter
  static final pattern = RegExp('x');
//> constant String.pattern
}
extension on List<int> {
  int total() => fold(0, (a, b) => a + b);
//> method List.total
}
extension type const Id(int value) implements int {
//> class Id sig="extension type const Id(int value) implements int"
//> field Id.value mods=final sig="int value"
  Id.zero() : this(0);
//> constructor Id.zero sig="Id.zero()"
  int get next => value + 1;
//> method Id.next
}
