import def, { one, two as deux } from './m';
//> import def from ./m default
//> import one from ./m one
//> import deux from ./m two
import * as ns from 'm';
//> import ns from m *
import alone from "alone";
//> import alone from alone default
import both, * as all from '../both.js';
//> import both from ../both.js default
//> import all from ../both.js *
import 'side';
//> import - from side -
import { default as renamed } from './renamed';
//> import renamed from ./renamed default
import {
  first,
//> import first from ./many first
  second as zweite,
//> import zweite from ./many second
} from './many';
export { a as b } from './reexport';
//> import - from ./reexport a
export { c, d as e } from './more';
//> import - from ./more c
//> import - from ./more d
export * from './everything';
//> import * from ./everything *
// import commented from 'comment';
const code = "import fake from 'fake'";
//> constant code vis=private

export function exported() {
//> function exported vis=public cc=1 mods=- end=2
  return [one, deux, ns, alone, both, all, renamed, def, first, zweite];
}
export async function* streamed() {
//> function streamed vis=public mods=async,generator col=24
  yield exported();
}
export const arrow = (a) => a;
//> function arrow vis=public cc=1 col=14
export const VALUE = 1;
//> constant VALUE vis=public
export let mutable = 2;
//> static mutable vis=public
export var ancient = 3;
//> static ancient vis=public
export class Exported {}
//> class Exported vis=public end=0

function listed() {}
//> function listed vis=public end=0
function aliased() {}
//> function aliased vis=public
const quoted = () => "x";
//> function quoted vis=public
let hidden = 1;
//> static hidden vis=private
function secret() {}
//> function secret vis=private
class Secret {}
//> class Secret vis=private

export { listed, aliased as alias };
export { quoted };

/** The main thing. */
export default async function main(argv = []) {
//> function main vis=public mods=async,default doc="The main thing." cc=2 end=2 col=31
  return argv.length ? secret(hidden) : new Secret(code);
}
