export {};

/** Colours. */
enum Color {
//> enum Color vis=private doc="Colours." sig="enum Color" mods=- end=6 col=6
  Red,
//> enum_member Color.Red vis=public sig="Red" col=3
  /** Like grass. */
  Green = "green",
//> enum_member Color.Green vis=public sig="Green = "green"" doc="Like grass."
  Blue = 1 << 2,
//> enum_member Color.Blue sig="Blue = 1 << 2"
  Mixed = Red | Blue,
//> enum_member Color.Mixed
}

export const enum Direction { Up = 1, Down }
//> enum Direction vis=public mods=const end=0 col=19
//> enum_member Direction.Up col=31
//> enum_member Direction.Down col=39

declare enum Ambient {
//> enum Ambient vis=private mods=declare
  One = 1,
//> enum_member Ambient.One
}

declare const enum Inlined { A }
//> enum Inlined vis=private mods=const,declare
//> enum_member Inlined.A

export enum Empty {}
//> enum Empty vis=public end=0

/** Geometry helpers. */
export namespace Geometry {
//> namespace Geometry vis=public doc="Geometry helpers." end=23 col=18
  export const PI = 3.14;
//> constant Geometry.PI vis=public
  let cache = 0;
//> static Geometry.cache
  export interface Point {
//> interface Geometry.Point vis=public end=2
    x: number;
//> field Geometry.Point.x vis=public
  }
  export type Pair = [Point, Point];
//> type_alias Geometry.Pair vis=public
  export function distance(a: Point, b: Point): number {
//> function Geometry.distance vis=public cc=2 end=5 col=19
    function square(n: number) {
//> function Geometry.distance.square vis=private cc=1
      return n * n;
    }
    return a ? square(a.x - b.x) : cache;
  }
  export const scale = (p: Point, by = 2): Point => ({ x: p.x * by });
//> function Geometry.scale vis=public cc=1 col=16
  function hidden() {}
//> function Geometry.hidden
  export class Line {
//> class Geometry.Line vis=public
    constructor(public from: Point) {}
//> constructor Geometry.Line.constructor
//> field Geometry.Line.from vis=public col=24
    private length = 0;
//> field Geometry.Line.length vis=private
  }
  export enum Axis { X, Y }
//> enum Geometry.Axis vis=public
//> enum_member Geometry.Axis.X col=22
//> enum_member Geometry.Axis.Y col=25
  export namespace Solid {
//> namespace Geometry.Solid vis=public col=20
    export function volume(): number { return 1; }
//> function Geometry.Solid.volume vis=public end=0
  }
}

namespace Internal {
//> namespace Internal vis=private sig="namespace Internal" end=2
  export const value = 1;
//> constant Internal.value vis=public
}

module Legacy {
//> namespace Legacy vis=private
  export var old = 1;
//> static Legacy.old vis=public
}

declare namespace Host {
//> namespace Host vis=private mods=declare
  function open(url: string): void;
//> function Host.open
  const version: string;
//> constant Host.version
}

const namespace = "namespace Fake { }";
//> constant namespace vis=private
const type = 1, module = 2, declare = 3, abstract = 4;
//> constant type vis=private col=7
//> constant module vis=private col=17
//> constant declare vis=private col=29
//> constant abstract vis=private col=42
const config = { mode: Color.Red, text: "enum Fake { A }" } as const;
//> constant config vis=private
