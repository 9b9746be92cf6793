part of '../lookalikes.dart';

// class No {}
/* void no() {} /* nested */ class No {} */
const text = '''
//> constant text end=4
class No {

  // no comment
  void no() {} ${() { return 1; }()} ''';
var raw = r"void no() { $x '";
//> static raw
var joined = 'class No ' "{}" 'test("no", () {})';
//> static joined
test(String title, Function body) => body();
//> function test
class Keywords {
//> class Keywords
  var get = 1, set = 2, factory = 3;
//> field Keywords.get
//> field Keywords.set
//> field Keywords.factory
  void async() { test('no test here', () {}); }
//> method Keywords.async
  int operator = 1;
//> field Keywords.operator
  String library(String part, int show) => 'import';
//> method Keywords.library
}
