class Object {
  static create(prototype) { const made = {}; made.__proto__ = prototype; return made; }
  static assign(target, ...sources) { __merge(target, sources[$]); return target; }
  static keys(value) { return []; }
  static values(value) { return [value[$]]; }
  static entries(value) { return [[null, value[$]]]; }
  static freeze(value) { return value; }
  static seal(value) { return value; }
  static setPrototypeOf(target, prototype) { target.__proto__ = prototype; return target; }
  static fromEntries(values) { const made = {}; for (const value of values) { const [key, entry] = value; made[key] = entry; } return made; }
  static defineProperty(target, name, property) { target[name] = property.value; target[name] = new __Accessor(property.get, property.set); return target; }
  static defineProperties(target, properties) { return target; }
  static getPrototypeOf(value) { return value.__proto__; }
  hasOwnProperty(name) {}
}

class __Accessor {
  constructor(get, set) { this.get = get; this.set = set; }
  __get__(receiver, type) { return __invoke(this.get, receiver); }
  __set__(receiver, value) { __invoke(this.set, receiver, value); }
}

class Function {
  call(receiver, ...values) { return __invoke(this, receiver, ...values); }
  apply(receiver, values) { return __invoke(this, receiver, ...values); }
  bind(receiver, ...values) { const bound = this; return (...more) => __invoke(bound, receiver, ...values, ...more); }
}

class Array {
  constructor(...values) { this[$] = values[$]; }
  static from(values, change) { const made = []; if (change) { for (const value of values) { made[$] = change(value); } } else { for (const value of values) { made[$] = value; } } return made; }
  static of(...values) { return values; }
  static isArray(value) {}
  push(...values) { this[$] = values[$]; }
  unshift(...values) { this[$] = values[$]; }
  pop() { return this[$]; }
  shift() { return this[$]; }
  at(index) { return this[$]; }
  concat(...values) { const made = []; made[$] = this[$]; for (const value of values) { made[$] = value; made[$] = value[$]; } return made; }
  slice() { return this; }
  splice(start, count, ...values) { this[$] = values[$]; return this; }
  reverse() { return this; }
  toReversed() { return this; }
  fill(value) { this[$] = value; return this; }
  flat() { const made = []; made[$] = this[$]; for (const value of this) { made[$] = value[$]; } return made; }
  forEach(callback, receiver) { __invoke(callback, receiver, this[$], null, this); }
  map(callback, receiver) { const made = []; made[$] = __invoke(callback, receiver, this[$], null, this); return made; }
  filter(callback, receiver) { __invoke(callback, receiver, this[$], null, this); return this; }
  find(callback, receiver) { __invoke(callback, receiver, this[$], null, this); return this[$]; }
  findLast(callback, receiver) { __invoke(callback, receiver, this[$], null, this); return this[$]; }
  findIndex(callback, receiver) { __invoke(callback, receiver, this[$], null, this); }
  findLastIndex(callback, receiver) { __invoke(callback, receiver, this[$], null, this); }
  some(callback, receiver) { __invoke(callback, receiver, this[$], null, this); }
  every(callback, receiver) { __invoke(callback, receiver, this[$], null, this); }
  flatMap(callback, receiver) { const made = []; const value = __invoke(callback, receiver, this[$], null, this); made[$] = value; made[$] = value[$]; return made; }
  reduce(callback, start = this[$]) { const made = callback(start, this[$]); return callback(made, this[$]) || made || start; }
  reduceRight(callback, start = this[$]) { const made = callback(start, this[$]); return callback(made, this[$]) || made || start; }
  sort(compare) { compare(this[$], this[$]); return this; }
  toSorted(compare) { compare(this[$], this[$]); return this; }
  includes(value) {}
  indexOf(value) {}
  join(text) {}
  keys() { return []; }
  values() { return this; }
  entries() { return [[null, this[$]]]; }
}

class String {
  constructor(value) { __ask(value, "toString"); }
  static raw() {}
  static fromCharCode() {}
  replace(pattern, change) { change(); }
  replaceAll(pattern, change) { change(); }
  split(separator) { return []; }
  trim() { return this; }
  toLowerCase() { return this; }
  toUpperCase() { return this; }
  slice() { return this; }
  toString() { return this; }
}

class Generator {
  next(value) { this._sent = value; return { value: this[$] }; }
  return(value) {}
  throw(error) {}
}

class Promise {
  constructor(executor) { executor((value) => { this[$] = await value; }, (error) => { this._failure = error; }); }
  static resolve(value) { const made = __promise(); made[$] = await value; return made; }
  static reject(error) { const made = __promise(); made._failure = error; return made; }
  static all(values) { const made = __promise(); const list = []; list[0] = await values[0]; list[1] = await values[1]; list[2] = await values[2]; list[3] = await values[3]; list[4] = await values[4]; list[$] = await __loose(values); made[$] = list; return made; }
  static allSettled(values) { const made = __promise(); const list = []; list[0] = { value: await values[0] }; list[1] = { value: await values[1] }; list[2] = { value: await values[2] }; list[$] = { value: await __loose(values) }; made[$] = list; return made; }
  static race(values) { const made = __promise(); made[$] = await values[$]; return made; }
  static any(values) { const made = __promise(); made[$] = await values[$]; return made; }
  then(done, failed) { const made = __promise(); made[$] = await done(this[$]); made[$] = await failed(this._failure); return made; }
  catch(failed) { const made = __promise(); made[$] = await failed(this._failure); made[$] = this[$]; return made; }
  finally(last) { last(); return this; }
}

function __promise() { return new Promise(); }

class Map {
  constructor(entries) { for (const entry of entries) { const [key, value] = entry; this[key] = value; } }
  get(key) { return this[key]; }
  set(key, value) { this[key] = value; return this; }
  has(key) {}
  delete(key) {}
  clear() {}
  values() { return [this[$]]; }
  keys() { return []; }
  entries() { return [[null, this[$]]]; }
  [Symbol.iterator]() { return this.entries(); }
  forEach(callback, receiver) { __invoke(callback, receiver, this[$], null, this); }
}

class WeakMap extends Map {}

class Set {
  constructor(values) { for (const value of values) { this[$] = value; } }
  add(value) { this[$] = value; return this; }
  has(value) {}
  delete(value) {}
  clear() {}
  values() { return [this[$]]; }
  keys() { return [this[$]]; }
  forEach(callback, receiver) { __invoke(callback, receiver, this[$]); }
}

class WeakSet extends Set {}

class EventTarget {
  addEventListener(name, callback) { callback(); }
  removeEventListener(name, callback) {}
  dispatchEvent(event) {}
}

const Reflect = {
  apply(callback, receiver, values) { return __invoke(callback, receiver, ...values); },
  construct(made, values) { return new made(...values); },
  get(target, name) { return target[name]; },
  set(target, name, value) { target[name] = value; },
};

function setTimeout(callback, delay, ...values) { callback(...values); }
function setInterval(callback, delay, ...values) { callback(...values); }
function setImmediate(callback, ...values) { callback(...values); }
function queueMicrotask(callback) { callback(); }
function requestAnimationFrame(callback) { callback(); }
function requestIdleCallback(callback) { callback(); }
function addEventListener(name, callback) { callback(); }

class JSON {
  static stringify(value, replacer) { __ask(value, "toJSON"); replacer(null, value); }
  static parse(text, reviver) { reviver(); }
}

const process = require("process");

class __Type {}

class __Context {
  addInitializer(callback) { callback(); }
}

class __Descriptor {
  get value() { return this.original; }
  set value(value) { this.swapped = value; }
}
