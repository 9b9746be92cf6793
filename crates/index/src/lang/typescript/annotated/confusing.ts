/* interface InComment { x: number } */
// class InComment {}
// A script with text that looks like definitions.

const template = `
//> constant template vis=public end=4
interface InTemplate { x: number }
enum InTemplate { A }
export class InTemplate {}
`;
const regex = /class Fake \{ \/\* "/;
//> constant regex vis=public
const generics = new Map<string, Array<() => void>>();
//> constant generics vis=public
const shifted = 8 >> 2 >>> 1;
//> constant shifted vis=public
const lessThan = (a: number, b: number) => a < b;
//> function lessThan vis=public cc=1 sig="const lessThan = (a: number, b: number)"

function returnsObject(): { a: string; b: () => void } {
//> function returnsObject vis=public cc=1 sig="function returnsObject(): { a: string; b: () => void }" end=2 col=10
  return { a: "function fake(): void {", b: () => {} };
//> method returnsObject.b cc=1 col=42
}

function defaults(a: string = "}", b: RegExp = /[{]/, c = (): string => "=>", d: { e: "{" } = { e: "{" }): void {
//> function defaults vis=public cc=1 end=1 col=10
}

// A line comment is not a doc.
function lineComment(): void {}
//> function lineComment doc=""
/* Neither is this. */
interface PlainComment {}
//> interface PlainComment doc=""
/**
 * A type. It is long.
 * @template T anything
 */
type Documented<T> = T | null;
//> type_alias Documented doc="A type."
/** An enum. */
enum DocumentedEnum {
//> enum DocumentedEnum doc="An enum."
  /** A member. */
  A,
//> enum_member DocumentedEnum.A doc="A member."
  // not a doc
  B,
//> enum_member DocumentedEnum.B doc=""
}

class Contextual {
//> class Contextual vis=public
  type = 1;
//> field Contextual.type vis=public sig="type = 1" col=3
  readonly = 2;
//> field Contextual.readonly vis=public mods=- col=3
  static = 3;
//> field Contextual.static vis=public mods=- col=3
  of(): void {}
//> method Contextual.of vis=public
  async(): void {}
//> method Contextual.async vis=public mods=-
  declare(): void {}
//> method Contextual.declare vis=public mods=-
}

function größe(maß: string = "ß"): number { return maß.length; }
//> function größe vis=public sig="function größe(maß: string = "ß"): number" col=10 end=0
const straße = "äöü", überAll = (): string => "🐦";
//> constant straße vis=public col=7
//> function überAll vis=public col=23
interface Ñandú { плюмаж: string; 名前(): void }
//> interface Ñandú col=11
//> field Ñandú.плюмаж col=19
//> method Ñandú.名前 col=35
