// Overload signatures and generics, in a script.

function parse(raw: string): string;
//> function parse vis=public sig="function parse(raw: string): string" end=0 col=10
function parse(raw: number): number;
//> function parse#2 vis=public sig="function parse(raw: number): number"
function parse(raw: any): any {
//> function parse#3 vis=public cc=2 sig="function parse(raw: any): any" end=2
  return raw || null;
}

/** Makes one. */
function make(): void;
//> function make doc="Makes one." vis=public
/** Makes many. */
function make(count: number, options?: { deep: boolean }): void;
//> function make#2 doc="Makes many." sig="function make(count: number, options?: { deep: boolean }): void"
function make(count?: number) {
//> function make#3 cc=2
  while (count) count--;
}

class Store {
//> class Store vis=public end=16
  constructor();
//> constructor Store.constructor vis=public sig="constructor()"
  constructor(size: number);
//> constructor Store.constructor#2 vis=public sig="constructor(size: number)"
  constructor(private size?: number) {}
//> constructor Store.constructor#3 vis=public cc=1
//> field Store.size vis=private col=23

  get(key: string): string;
//> method Store.get vis=public sig="get(key: string): string"
  get(key: number): number;
//> method Store.get#2 vis=public sig="get(key: number): number"
  get(key: any): any {
//> method Store.get#3 vis=public cc=2 sig="get(key: any): any"
    return key ? key : this.size;
  }

  static of(a: string): Store;
//> method Store.of mods=static
  static of(a: string, b: string): Store;
//> method Store.of#2 mods=static
  static of(...args: string[]): Store {
//> method Store.of#3 mods=static cc=1 sig="static of(...args: string[]): Store"
    return new Store(args.length);
  }
}

function generic<
//> function generic vis=public cc=1 sig="function generic< K extends string, V = Record<K, () => void>, >(key: K, value: V,): [K, V]" end=8 col=10
  K extends string,
  V = Record<K, () => void>,
>(
  key: K,
  value: V,
): [K, V] {
  return [key, value];
}

const arrow = <T extends object>(value: T): T => value;
//> function arrow vis=public cc=1 sig="const arrow = <T extends object>(value: T): T"
const guarded = (value: unknown): value is string => typeof value === "string";
//> function guarded vis=public cc=1
const asserted = (<any>parse("1")) as string;
//> constant asserted vis=public
const compared = 1 < 2 && 3 > (2);
//> constant compared vis=public
let fn: (a: string) => void = function (a) {};
//> function fn vis=public
const satisfied = { run: 1 } satisfies Record<string, number>;
//> constant satisfied vis=public
const nonNull = parse("x")!;
//> constant nonNull vis=public

async function* pages<T>(this: Store, url: `http${string}`, opts: { retry?: number } = { retry: 3 }): AsyncGenerator<T> {
//> function pages vis=public mods=async,generator cc=2 end=2 col=17
  for await (const page of []) yield page;
}

declare function external(name: string): void;
//> function external vis=public mods=declare end=0 col=18
declare const GLOBAL: string;
//> constant GLOBAL vis=public mods=declare
declare let state: number;
//> static state vis=public mods=declare
declare class Widget {
//> class Widget vis=public mods=declare
  constructor(id: string);
//> constructor Widget.constructor vis=public
  draw(): void;
//> method Widget.draw vis=public
  private size;
//> field Widget.size vis=private
}
