#!/usr/bin/env dart
/// Starts.
void main(List<String> args) {
//> function main vis=public cc=1 sig="void main(List<String> args)" doc="Starts." end=10
  var local = 1;
  int _inner(int x) => x > 0 ? 1 : 2;
//> function main._inner vis=private cc=2
  final helper = (int x) async => x;
//> function main.helper vis=private mods=async,final sig="final helper = (int x)"
  args.forEach((a) {
//> function main.<lambda1> cc=2 sig="(a)"
    if (a.isEmpty) print(a);
  });
  class_();
  final (a, b) = (1, 2);
  run(() {});
}
int arrow(int x) => x;
//> function arrow
/** Blocks too. */
T generic<T extends Object>(T x, [int y = 0]) => x;
//> function generic sig="T generic<T extends Object>(T x, [int y = 0])" doc="Blocks too."
(int, {String name}) record() => (1, name: 'x');
//> function record
_untyped(x) {}
//> function _untyped vis=private sig="_untyped(x)"
external int fromOutside(int a);
//> function fromOutside mods=extern
external int get outsideGetter;
//> function outsideGetter mods=extern,getter
String get title => 'x';
//> function title mods=getter sig="String get title"
set title(String value) {}
//> function title#2 mods=setter
@pragma('vm:entry-point')
Future<int> later() async => 1;
//> function later mods=async deco="pragma('vm:entry-point')"

const pi = 3.14;
//> constant pi mods=const sig="const pi = 3.14"
final e = 2.7, f = 1;
//> constant e mods=final
//> constant f
var counter = 0;
//> static counter sig="var counter = 0"
late int lateOne;
//> static lateOne
int? _hidden;
//> static _hidden vis=private
external int outside;
//> static outside mods=extern
final callback = (int x) { if (x > 0) return; };
//> function callback cc=2 sig="final callback = (int x)"
final table = {'a': () => 1};
//> constant table
//> function table.<lambda1> sig="()"

typedef Callback = void Function(int);
//> type_alias Callback sig="typedef Callback = void Function(int)"
typedef int Old(int a);
//> type_alias Old sig="typedef int Old(int a)"
typedef Many<T> = List<T>;
//> type_alias Many
