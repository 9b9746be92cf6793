//> file: types/declarations.d.ts
import { Base } from './base';
//> import Base from ./base Base

/** The version. */
export declare const VERSION: string;
//> constant VERSION vis=public mods=declare doc="The version."
export const flag: boolean;
//> constant flag vis=public
export let current: number;
//> static current vis=public
declare const internal: unique symbol;
//> constant internal vis=public mods=declare

/** Starts it. And waits. */
export declare function start(options?: Options): Promise<void>;
//> function start vis=public mods=declare doc="Starts it." end=0 col=25
export function stop(): void;
//> function stop vis=public
declare function hidden(a: string): void;
//> function hidden vis=public mods=declare
declare function hidden(a: number): void;
//> function hidden#2 vis=public mods=declare

export interface Options {
//> interface Options vis=public end=3
  verbose?: boolean;
//> field Options.verbose mods=optional
  on(event: "open" | "close", listener: () => void): this;
//> method Options.on vis=public
}

interface NotExported {
//> interface NotExported vis=public
  value: number;
//> field NotExported.value vis=public
}

export declare class Client extends Base {
//> class Client vis=public mods=declare end=6 col=22
  private constructor();
//> constructor Client.constructor vis=private
  static create(): Client;
//> method Client.create vis=public mods=static sig="static create(): Client"
  readonly url: string;
//> field Client.url vis=public mods=readonly
  protected close(code?: number): void;
//> method Client.close vis=protected
  get open(): boolean;
//> method Client.open vis=public mods=getter
}

export declare enum Level {
//> enum Level vis=public mods=declare
  Low = 0,
//> enum_member Level.Low
  High = 1,
//> enum_member Level.High
}

export type Callback = (error: Error | null, value?: NotExported) => void;
//> type_alias Callback vis=public
type Inner = typeof internal;
//> type_alias Inner vis=public

declare namespace Tools {
//> namespace Tools vis=public mods=declare
  function sharpen(tool: string): Inner;
//> function Tools.sharpen
  interface Tool { name: string }
//> interface Tools.Tool
//> field Tools.Tool.name
}
