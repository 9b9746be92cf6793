//> file: test/point_test.dart
import 'package:test/test.dart';
//> import * from package:test/test.dart *

void main() {
//> function main
  group('Point', () {
//> namespace main.Point sig="group('Point'" end=8
    late Point point;
    setUp(() { point = Point(); });

    test('adds up', () async {
//> test main.Point.adds·up cc=2 mods=async end=2
      if (point != null) expect(point + 1, 2);
    });
    int helper() => 1;
//> function main.Point.helper
  });
  testWidgets("shows", (tester) async {}, skip: true);
//> test main.shows vis=private mods=async
  test(name, () {});
  testing('no', () {});
}
