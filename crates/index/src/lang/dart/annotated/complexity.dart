void plain(a, b) { var c = a ?? b; a?.b; assert(c); label: print(c); }
//> function plain cc=1
void branches(a, b) { if (a && b || !a) {} else if (b) {} else {} }
//> function branches cc=5
void loops(es) async { for (var i = 0; i < 3; i++) {} for (final e in es) {} await for (final e in es) {} while (x) {} do {} while (y); }
//> function loops cc=6 mods=async
int cases(x) { switch (x) { case 1: case 2: return 1; case int n when n > 3: return n; default: return 0; } }
//> function cases cc=5
String expressions(x) => switch (x) { 1 => 'a', > 2 && < 4 => 'b', _ when y => 'c', _ => 'd' };
//> function expressions cc=6
void handlers() { try {} on A {} on B catch (e) {} catch (e, s) {} finally {} }
//> function handlers cc=4
int ternary(a) => a ? 1 : 2;
//> function ternary cc=2
void patterns(a) { if (a case [1, 2] when a.ok) {} }
//> function patterns cc=3
List collections(a, b) => [if (a) 1 else 2, for (var x in b) x, ...b];
//> function collections cc=3
void outer(l) { l.map((x) => x ? 1 : 2); if (l) {} }
//> function outer cc=2
//> function outer.<lambda1> cc=2
