// A script with several syntax errors in it.

function before(a, b) {
//> function before vis=public cc=2 sig="function before(a, b)" end=3
  if (a) return a;
  return b;
}

class Whole {
//> class Whole vis=public
  size = 1;
//> field Whole.size vis=public

  grow() {
//> method Whole.grow vis=public
    return this.size;
  }
}

before(1, 2));

const between = (x) => x * 2;
//> function between vis=public

5 +* 3;

function middle() {
//> function middle vis=public
  return between(1);
}

before(1 2 3);

class After extends Whole {
//> class After vis=public sig="class After extends Whole"
  shrink(by = 1) {
//> method After.shrink vis=public sig="shrink(by = 1)"
    return by;
  }
}

function brokenBody() {
//> function brokenBody vis=public
  return 5 6 7;
}

const LAST = 1;
//> constant LAST vis=public

function last(n) {
//> function last vis=public cc=2
  while (n) n--;
  return n;
}
