// Decision points in typed code.

function chain(a: number): string {
//> function chain cc=4
  if (a === 1) return "one";
  else if (a === 2) return "two";
  else if (a === 3) return "three";
  else return "many";
}
function loops(xs: number[][]): void {
//> function loops cc=6
  for (let i = 0; i < 3; i++) xs.push([i]);
  for (const k in xs) print(k);
  for (const x of xs) print(x);
  while (xs.length) xs.pop();
  do { xs.push([]); } while (xs.length < 3);
}
function switched(kind: "a" | "b" | "c"): number {
//> function switched cc=3
  switch (kind) {
    case "a": return 1;
    case "b": { return 2; }
    default: return 3;
  }
}
function caught(): void {
//> function caught cc=2
  try { work(); } catch (error: unknown) { print(error); } finally { print(1); }
}
function operators(a?: string, b?: string): boolean {
//> function operators cc=4
  return (a && b) || a ? true : false;
}
function optional(a?: { b?: string }): string {
//> function optional cc=1
  return a?.b ?? "";
}
function typesOnly<T>(value: T extends string ? "s" : "n", other?: T | (T & string)): void {
//> function typesOnly cc=1
  type Local = T extends infer U ? U : never;
//> type_alias typesOnly.Local vis=private
  const kept = value as unknown as Local;
  print(kept!);
}
const arrow = (a: number): number => (a > 1 ? a : 0);
//> function arrow cc=2
function nested(a: boolean): () => number {
//> function nested cc=2
  const inner = (): number => (a || false ? 1 : 2);
//> function nested.inner cc=3
  if (a) print(a);
  return inner;
}
class Machine {
//> class Machine
  constructor(private on = false) { if (on) print(on); }
//> constructor Machine.constructor cc=2
//> field Machine.on
  step = (n: number): void => { for (;;) if (n) break; };
//> method Machine.step cc=3
  get state(): string { return this.on ? "on" : "off"; }
//> method Machine.state cc=2
  run<T>(items: T[]): T[] {
//> method Machine.run cc=1
    return items.filter((item) => item && this.on);
//> function Machine.run.<lambda1> cc=2
  }
}
