// A script with several syntax errors in it.

interface Before {
//> interface Before vis=public
  name: string;
//> field Before.name vis=public
  run(): void;
//> method Before.run vis=public
}

function before(a: number, b = 2): number {
//> function before vis=public cc=2 sig="function before(a: number, b = 2): number" end=2
  return a || b;
}

before(1, 2));

enum Middle { A, B }
//> enum Middle vis=public
//> enum_member Middle.A
//> enum_member Middle.B

5 +* 3;

class Whole {
//> class Whole vis=public
  private size: number = 1;
//> field Whole.size vis=private

  grow(by: number): number {
//> method Whole.grow vis=public
    return this.size + by;
  }
}

before(1 2 3);

type Alias = string;
//> type_alias Alias vis=public

const arrow = (x: number): number => x * 2;
//> function arrow vis=public

function brokenBody(): number {
//> function brokenBody vis=public
  return 5 6 7;
}

const LAST: number = 1;
//> constant LAST vis=public

function last(n: number): number {
//> function last vis=public cc=2
  while (n) n--;
  return n;
}
