import { base } from './base';
//> import base from ./base base

export interface Options { deep: boolean }
//> interface Options vis=public
//> field Options.deep vis=public
export type Name = string;
//> type_alias Name vis=public
type Hidden = number;
//> type_alias Hidden vis=private
interface HiddenToo { y: Hidden }
//> interface HiddenToo vis=private
//> field HiddenToo.y vis=public
interface Listed { z: 1 }
//> interface Listed vis=public
//> field Listed.z
type ListedType = HiddenToo;
//> type_alias ListedType vis=public
export abstract class Shape {}
//> class Shape vis=public mods=abstract end=0
export declare function ambient(a: number): void;
//> function ambient vis=public mods=declare
export const run = async (options: Options): Promise<Name> => {
//> function run vis=public mods=async cc=3 end=3 col=14
  if (options.deep && base) return "deep";
  return "flat";
};
export const VALUE: number = 1;
//> constant VALUE vis=public
export let counter = 0;
//> static counter vis=public
const privateValue = 1;
//> constant privateValue vis=private
const api = {
//> constant api vis=public end=4
  get<T>(id: string): T | undefined { return undefined; },
//> method api.get vis=public cc=1 end=0 col=3
  put: async (id: string, value = "}"): Promise<void> => {},
//> method api.put vis=public mods=async
  v1: { list: (): number[] => [privateValue] },
//> field api.v1
//> method api.v1.list vis=public col=9
};

export function outer(): { run(): void } {
//> function outer vis=public cc=1
  interface LocalShape { x: number }
//> interface outer.LocalShape vis=private
//> field outer.LocalShape.x
  type LocalType = LocalShape;
//> type_alias outer.LocalType vis=private
  const helper = (x: LocalType): number => x.x;
//> function outer.helper vis=private cc=1
  return {
    run() { helper({ x: 1 }); },
//> method outer.run cc=1
  };
}

export { api };
export { Listed };
export type { ListedType as Renamed };

/** The default one. */
export default function (value?: string) {
//> function default vis=public mods=default cc=1 doc="The default one."
  return value ?? "none";
}
