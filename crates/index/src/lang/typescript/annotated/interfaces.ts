// A script: no imports, no exports.

/** A closed figure. */
interface Shape {
//> interface Shape vis=public doc="A closed figure." sig="interface Shape" mods=- end=17 col=11
  /** Its name. */
  name: string;
//> field Shape.name vis=public sig="name: string" doc="Its name." mods=- col=3
  readonly sides: number;
//> field Shape.sides vis=public mods=readonly sig="readonly sides: number" col=12
  label?: string;
//> field Shape.label mods=optional sig="label?: string" col=3
  readonly tag?: string;
//> field Shape.tag mods=readonly,optional
  onChange: (event: { kind: string }) => void;
//> field Shape.onChange sig="onChange: (event: { kind: string }) => void"
  nested: { inner: number; deep(): void };
//> field Shape.nested
  /** The area. In units. */
  area(unit: string): number;
//> method Shape.area vis=public sig="area(unit: string): number" doc="The area." end=0 col=3
  scale?(factor: number): this;
//> method Shape.scale vis=public mods=optional
  map<U>(fn: (s: Shape) => U): U;
//> method Shape.map vis=public sig="map<U>(fn: (s: Shape) => U): U"
  over(a: string): void;
//> method Shape.over sig="over(a: string): void"
  over(a: number): void;
//> method Shape.over#2 sig="over(a: number): void"
  (call: string): string;
  new (x: number): Shape;
  [index: string]: any;
}

interface Square<T extends Shape = Shape> extends Shape, Iterable<T> {
//> interface Square vis=public sig="interface Square<T extends Shape = Shape> extends Shape, Iterable<T>" col=11
  size: T;
//> field Square.size
}

interface Empty {}
//> interface Empty vis=public end=0

interface CommaSeparated { a: string, b(): void }
//> interface CommaSeparated end=0
//> field CommaSeparated.a col=28
//> method CommaSeparated.b col=39

type Id = string;
//> type_alias Id vis=public mods=- end=0 col=6
/** One or the other. */
type Either<A, B> =
//> type_alias Either vis=public doc="One or the other." end=2 col=6
  | { kind: "left"; value: A }
  | { kind: "right"; value: B };
type Handler = (event: Event, options?: { once: boolean }) => void;
//> type_alias Handler vis=public
type Keys<T> = { readonly [K in keyof T]?: T[K] extends Function ? K : never };
//> type_alias Keys vis=public
type Template = `on${string}`;
//> type_alias Template
type Ctor = abstract new (...args: any[]) => object;
//> type_alias Ctor

const typed: Handler = (event, options) => {
//> function typed vis=public cc=2 end=2 col=7
  if (options) event.preventDefault();
};
const id: Id = "interface Fake { x: number }";
//> constant id vis=public sig="const id: Id = "interface Fake { x: number }""
let maybe: Shape | undefined;
//> static maybe vis=public sig="let maybe: Shape | undefined"

function isShape(value: unknown): value is Shape {
//> function isShape vis=public cc=2 sig="function isShape(value: unknown): value is Shape" end=2
  return typeof value === "object" && value !== null;
}

function assertShape(value: unknown): asserts value is Shape {
//> function assertShape vis=public cc=2 sig="function assertShape(value: unknown): asserts value is Shape"
  if (!isShape(value)) throw new Error("type Fake = string;");
}

interface Channel<in Input, out Output, in out State = never> {
//> interface Channel sig="interface Channel<in Input, out Output, in out State = never>"
  send(input: Input): void;
//> method Channel.send
}
