import { Injectable, Input, Output, HostListener, log } from './framework';
//> import Injectable from ./framework Injectable
//> import Input from ./framework Input
//> import Output from ./framework Output
//> import HostListener from ./framework HostListener
//> import log from ./framework log

/** Keeps accounts. Many of them. */
@Injectable()
export class Account<T = string> {
//> class Account vis=public deco=Injectable() doc="Keeps accounts." mods=- end=67 col=14
  id: T;
//> field Account.id vis=public sig="id: T" mods=- col=3
  public owner = "nobody";
//> field Account.owner vis=public sig="public owner = "nobody"" col=10
  private balance: number = 0;
//> field Account.balance vis=private sig="private balance: number = 0" col=11
  protected readonly limit = 100;
//> field Account.limit vis=protected mods=readonly sig="protected readonly limit = 100"
  static instances = 0;
//> field Account.instances vis=public mods=static sig="static instances = 0"
  private static readonly KEY = Symbol("key");
//> field Account.KEY vis=private mods=static,readonly col=27
  nickname?: string;
//> field Account.nickname vis=public mods=optional sig="nickname?: string"
  definite!: string;
//> field Account.definite vis=public mods=- col=3
  declare inherited: string;
//> field Account.inherited vis=public mods=declare
  #pin = 1234;
//> field Account.#pin vis=private sig="#pin = 1234" col=3
  _soft = 1;
//> field Account._soft vis=private

  @Input() color: string = "red";
//> field Account.color vis=public deco=Input() col=12
  @Input({ required: true })
  @Output('changed')
  size = 3;
//> field Account.size deco="Input({ required: true })" deco=Output('changed') col=3

  /** Handles it. */
  handle = (event: Event): void => {
//> method Account.handle vis=public cc=2 doc="Handles it." end=2 col=3
    if (event) this.balance++;
  };
  private readonly later = async <U>(value: U): Promise<U> => value;
//> method Account.later vis=private cc=1

  static {
    Account.instances = 1;
  }

  constructor(
//> constructor Account.constructor vis=public cc=2 end=8 col=3
    private name: string,
//> field Account.name vis=private col=13
    public readonly kind: "a" | "b" = "a",
//> field Account.kind vis=public mods=readonly
    protected options: { open: boolean } = { open: true },
//> field Account.options vis=protected
    readonly stamp = Date.now(),
//> field Account.stamp vis=public mods=readonly col=14
    plain?: T,
  ) {
    this.id = plain || (name as unknown as T);
  }

  get total(): number {
//> method Account.total vis=public mods=getter sig="get total(): number" end=2 col=7
    return this.balance;
  }
  set total(value: number) {
//> method Account.total#2 vis=public mods=setter sig="set total(value: number)" col=7
    this.balance = value;
  }
  private static get secret(): string { return "}"; }
//> method Account.secret vis=private mods=static,getter end=0

  /** Pays in. */
  @log
  @HostListener('window:resize', ['$event'])
  public async deposit(amount: number, note = "deposit() {"): Promise<void> {
//> method Account.deposit vis=public mods=async deco=log deco="HostListener('window:resize', ['$event'])" doc="Pays in." sig="public async deposit(amount: number, note = "deposit() {"): Promise<void>" end=2 col=16
    await amount;
  }
  protected withdraw(amount: number): boolean {
//> method Account.withdraw vis=protected cc=2 sig="protected withdraw(amount: number): boolean"
    return amount > 0 ? true : false;
  }
  private audit?(): void {}
//> method Account.audit vis=private mods=optional
  static create<U>(this: void, name: string): Account<U> {
//> method Account.create vis=public mods=static sig="static create<U>(this: void, name: string): Account<U>" col=10
    return new Account<U>(name);
  }
  *walk(): Generator<number> {
//> method Account.walk mods=generator cc=1
    yield 1;
  }
  static async *pages(): AsyncGenerator<number> {
//> method Account.pages mods=static,async,generator
    yield 1;
  }
  #hash(): number { return this.#pin; }
//> method Account.#hash vis=private sig="#hash(): number" end=0
  [key: string]: any;
}

abstract class Base {
//> class Base vis=private mods=abstract sig="abstract class Base" end=7 col=16
  abstract name: string;
//> field Base.name vis=public mods=abstract
  protected abstract readonly code: number;
//> field Base.code vis=protected mods=abstract,readonly
  abstract run(times: number): void;
//> method Base.run vis=public mods=abstract sig="abstract run(times: number): void" end=0 col=12
  protected abstract load(): Promise<void>;
//> method Base.load vis=protected mods=abstract
  abstract get size(): number;
//> method Base.size mods=abstract,getter
  stop(): void {}
//> method Base.stop vis=public mods=- cc=1 end=0
}

export default class Derived extends Base implements Iterable<string>, Disposable {
//> class Derived vis=public mods=default end=11 col=22
  name = "derived";
//> field Derived.name vis=public
  protected override readonly code = 1;
//> field Derived.code vis=protected mods=readonly,override
  override run(times: number): void {
//> method Derived.run mods=override cc=2 sig="override run(times: number): void"
    for (let i = 0; i < times; i++) this.stop();
  }
  protected override async load(): Promise<void> {}
//> method Derived.load vis=protected mods=async,override
  override get size(): number { return 1; }
//> method Derived.size mods=override,getter
  private constructor() {
//> constructor Derived.constructor vis=private cc=1 sig="private constructor()"
    super();
  }
}

@log
@Injectable({ providedIn: 'root' })
class Decorated {
//> class Decorated vis=private deco=log deco="Injectable({ providedIn: 'root' })"
  constructor(@Inject(TOKEN) private readonly http: Http, @Optional() other: Other) {}
//> constructor Decorated.constructor vis=public end=0
//> field Decorated.http vis=private mods=readonly col=47
}

const Anonymous = class<T> extends Decorated {
//> class Anonymous vis=private
  value?: T;
//> field Anonymous.value mods=optional
};
