import Base, { mixin as blend } from './base';
//> import Base from ./base default
//> import blend from ./base mixin

/** A point in the plane. It moves. */
export class Point extends Base {
//> class Point vis=public doc="A point in the plane." end=70 col=14
  x = 0;
//> field Point.x vis=public sig="x = 0" col=3
  y;
//> field Point.y vis=public sig="y"
  #secret = 42;
//> field Point.#secret vis=private sig="#secret = 42" col=3
  _soft = "soft";
//> field Point._soft vis=private
  static count = 0;
//> field Point.count vis=public mods=static sig="static count = 0" col=10
  static #instances = new Map();
//> field Point.#instances vis=private mods=static col=10
  static origin = new Point({ x: "}" });
//> field Point.origin mods=static

  /** Handles a click. */
  onClick = (event) => {
//> method Point.onClick vis=public cc=2 doc="Handles a click." end=2 col=3
    if (event) this.x++;
  };
  static create = function (x) { return new Point(x); };
//> method Point.create vis=public mods=static cc=1 end=0
  #later = async () => this.#secret;
//> method Point.#later vis=private mods=async cc=1

  static {
    function setup() {
//> function Point.setup cc=1
      return 1;
    }
    Point.count = setup();
  }

  constructor(x = 0, y = "constructor() {") {
//> constructor Point.constructor vis=public cc=2 sig="constructor(x = 0, y = "constructor() {")" end=5 col=3
    super();
    this.x = x || 0;
    this.y = y;
    this.handler = () => this.x;
//> method Point.handler cc=1 col=10
  }

  /**
   * The length.
   * @returns {number}
   */
  get length() {
//> method Point.length vis=public mods=getter doc="The length." sig="get length()" end=2 col=7
    return Math.hypot(this.x, this.y);
  }
  set length(value) {
//> method Point.length#2 vis=public mods=setter sig="set length(value)" cc=1 col=7
    this.x = value;
  }

  static get total() { return Point.count; }
//> method Point.total mods=static,getter end=0
  get #hidden() { return 1; }
//> method Point.#hidden vis=private mods=getter

  move(dx, dy = 0) {
//> method Point.move vis=public mods=- cc=1 sig="move(dx, dy = 0)" end=2 col=3
    return new Point(this.x + dx, this.y + dy);
  }
  async save() {
//> method Point.save mods=async sig="async save()"
    await this.#store(this);
  }
  *walk() {
//> method Point.walk mods=generator cc=1
    yield this;
  }
  async *stream() {
//> method Point.stream mods=async,generator
    yield this;
  }
  static parse(text) {
//> method Point.parse mods=static sig="static parse(text)" cc=2
    return text ? new Point() : null;
  }
  static async load(url) {
//> method Point.load mods=static,async sig="static async load(url)" col=16
    return url;
  }
  #store(target) {
//> method Point.#store vis=private sig="#store(target)" col=3
    const helper = () => target;
//> function Point.#store.helper vis=private
    return helper();
  }
  _private() {}
//> method Point._private vis=private end=0
  static() {}
//> method Point.static vis=public mods=- col=3
  get() {}
//> method Point.get vis=public mods=- col=3
  async() {}
//> method Point.async vis=public mods=- col=3
}

class Quiet {
//> class Quiet vis=public sig="class Quiet" mods=-
  say() {
//> method Quiet.say vis=public
    return class {
//> class Quiet.say.<class1>
      whisper() {
//> method Quiet.say.<class1>.whisper cc=1
        return "…";
      }
    };
  }
}

const Expr = class {
//> class Expr vis=private
  run() {
//> method Expr.run vis=public
    return 1;
  }
};

class Mixed extends blend(Quiet, { fake: 'class {' }) {
//> class Mixed vis=private sig="class Mixed extends blend(Quiet, { fake: 'class {' })"
  constructor() {
//> constructor Mixed.constructor vis=public cc=1
    super();
  }
}

class OneLine { a = 1; b() {} }
//> class OneLine vis=public end=0
//> field OneLine.a vis=public col=17
//> method OneLine.b vis=public col=24

export default class extends Mixed {
//> class default vis=public mods=default end=4
  go() {
//> method default.go vis=public
    return Expr;
  }
}

export { Quiet as Silent, OneLine };
