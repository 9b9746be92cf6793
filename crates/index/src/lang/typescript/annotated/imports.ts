import type { T } from 'm';
//> import T from m T
import { type U, v as w } from './values';
//> import U from ./values U
//> import w from ./values v
import d, { x as y } from './m';
//> import d from ./m default
//> import y from ./m x
import type Def from './def';
//> import Def from ./def default
import * as ns from 'ns';
//> import ns from ns *
import 'side';
//> import - from side -
import fs = require('fs');
//> import fs from fs -
import {
  Alpha,
//> import Alpha from @scope/pkg/sub Alpha
  Beta as B,
//> import B from @scope/pkg/sub Beta
} from '@scope/pkg/sub';
export { a as b } from './reexport';
//> import - from ./reexport a
export type { Shape } from './shape';
//> import - from ./shape Shape
export * from './everything';
//> import * from ./everything *
const path = require('path');
//> import path from path -
const { join, sep: separator } = require('path/posix');
//> import join from path/posix join
//> import separator from path/posix sep

// import { commented } from 'comment';
const text = `import fake from 'fake'`;
//> constant text vis=private

export function use(t: T, u: U): Def {
//> function use vis=public cc=1 end=2 col=17
  return [t, u, w, d, y, ns, fs, Alpha, B, path, join, separator, text] as unknown as Def;
}

export declare const typed: import("./shapes").Shape<import("./units").Unit<number>>;
//> constant typed vis=public mods=declare

export type * from "./only-types";
//> import * from ./only-types *
