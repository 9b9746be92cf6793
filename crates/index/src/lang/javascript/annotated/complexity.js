// One function for each kind of decision point.

function straight() { return 1; }
//> function straight cc=1
function oneIf(a) { if (a) return 1; return 2; }
//> function oneIf cc=2
function ifElse(a) { if (a) { return 1; } else { return 2; } }
//> function ifElse cc=2
function chain(a) {
//> function chain cc=4
  if (a === 1) {
    return 1;
  } else if (a === 2) {
    return 2;
  } else if (a === 3) {
    return 3;
  } else {
    return 4;
  }
}
function forLoop(n) { for (let i = 0; i < n; i++) print(i); }
//> function forLoop cc=2
function forIn(o) { for (const k in o) print(k); }
//> function forIn cc=2
function forOf(o) { for (const v of o) print(v); }
//> function forOf cc=2
async function forAwait(o) { for await (const v of o) print(v); }
//> function forAwait cc=2 mods=async
function whileLoop(n) { while (n) n--; }
//> function whileLoop cc=2
function doWhile(n) { do { n--; } while (n > 0); }
//> function doWhile cc=2
function switched(a) {
//> function switched cc=4
  switch (a) {
    case 1:
      return 1;
    case 2:
    case 3:
      return 2;
    default:
      return 3;
  }
}
function caught() {
//> function caught cc=2
  try {
    work();
  } catch (error) {
    print(error);
  } finally {
    print("end");
  }
}
function caughtWithoutBinding() {
//> function caughtWithoutBinding cc=2
  try { work(); } catch { return 1; }
}
function ternary(a) { return a ? 1 : 2; }
//> function ternary cc=2
function ternaries(a, b) { return a ? 1 : b ? 2 : 3; }
//> function ternaries cc=3
function ands(a, b, c) { return a && b && c; }
//> function ands cc=3
function ors(a, b, c) { return (a || b) && !c; }
//> function ors cc=3
function nullish(a, b) { return a?.b?.[0]?.() ?? b; }
//> function nullish cc=1
function bitwise(a, b) { return (a & b) | (a ^ b); }
//> function bitwise cc=1
function labelled(a) {
//> function labelled cc=4
  outer: for (const x of a) {
    for (const y of x) {
      if (y) break outer;
    }
  }
}
function inTemplate(a, b) { return `${a ? "if" : "else"} && || ${a || b}`; }
//> function inTemplate cc=3
function inText() {
//> function inText cc=1
  // if (a && b || c) while for
  /* case x: catch ? : */
  const pattern = /if|while|a&&b/;
  return "if (a) { while (b) }" + pattern + 'a && b ? c : d';
}
const arrowBody = (a) => (a ? 1 : 2);
//> function arrowBody cc=2
const arrowBlock = (a) => { if (a && a.b) return 1; return 2; };
//> function arrowBlock cc=3
function nested(a) {
//> function nested cc=2
  function inner(b) {
//> function nested.inner cc=4
    if (b || a) return 1;
    return b ? 2 : 3;
  }
  const arrow = (c) => c && a;
//> function nested.arrow cc=2
  if (a) return inner;
  return arrow;
}
function callbacks(xs) {
//> function callbacks cc=1
  return xs.filter((x) => x && x.y).map(function (x) { return x ? 1 : 2; });
//> function callbacks.<lambda1> cc=2
//> function callbacks.<lambda2> cc=2
}
function withClass(a) {
//> function withClass cc=2
  class Inner {
//> class withClass.Inner
    value = a ? 1 : 2;
//> field withClass.Inner.value
    run() {
//> method withClass.Inner.run cc=3
      while (true) if (a) break;
    }
  }
  return a || Inner;
}
class Machine {
//> class Machine
  constructor(on) { this.on = on || false; }
//> field Machine.on
//> constructor Machine.constructor cc=2
  step = (n) => { for (;;) if (n) break; };
//> method Machine.step cc=3
  get state() { return this.on ? "on" : "off"; }
//> method Machine.state cc=2
  set state(v) { this.on = v === "on" && true; }
//> method Machine.state#2 cc=2
  static async make(a) {
//> method Machine.make cc=2
    try { return await a; } catch (e) { return null; }
  }
}
function everything(a, b) {
//> function everything cc=12
  for (const x of a) {
    try {
      if (x && b) {
        print(x);
      } else if (x || b) {
        print(b);
      }
    } catch (error) {
      while (b) b = b > 1 ? b - 1 : 0;
    }
  }
  switch (b) {
    case "x": return 1;
    case "y": return a ? 1 : 2;
    default: return b ?? a?.c;
  }
}
