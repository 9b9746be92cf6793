class EventEmitter {
  constructor() { this.__listeners = {}; }
  on(name, callback) { this.__listeners[name] = callback; return this; }
  once(name, callback) { this.__listeners[name] = callback; return this; }
  addListener(name, callback) { this.__listeners[name] = callback; return this; }
  prependListener(name, callback) { this.__listeners[name] = callback; return this; }
  prependOnceListener(name, callback) { this.__listeners[name] = callback; return this; }
  off(name, callback) { return this; }
  removeListener(name, callback) { return this; }
  removeAllListeners(name) { return this; }
  emit(name, ...values) { __invoke(this.__listeners[name], this, ...values); }
  listeners(name) { return [this.__listeners[name]]; }
  listenerCount(name) {}
  setMaxListeners(count) { return this; }
}
EventEmitter.EventEmitter = EventEmitter;
module.exports = EventEmitter;
