export class AsyncLocalStorage {
  run(store, callback, ...values) { this.store = store; return callback(...values); }
  exit(callback, ...values) { return callback(...values); }
  getStore() { return this.store; }
  enterWith(store) { this.store = store; }
}
