/// All the tools.
library acme.tools;

import 'dart:async';
//> import * from dart:async *
import "package:a/b.dart" as b show X hide Y;
//> import b from package:a/b.dart -
import 'c.dart' deferred as c;
//> import c from c.dart -
import 'd.dart' show One, Two;
//> import One from d.dart One
//> import Two from d.dart Two
import 'e.dart' hide Three;
//> import * from e.dart *
import 'stub.dart' if (dart.library.io) 'io.dart' if (dart.library.html) 'web.dart';
//> import * from stub.dart *
//> import * from io.dart *
//> import * from web.dart *
export 'src/f.dart';
//> import * from src/f.dart *
export 'src/g.dart' show G, H;
//> import - from src/g.dart G
//> import - from src/g.dart H
part 'src/part.dart';
//> import - from src/part.dart -
