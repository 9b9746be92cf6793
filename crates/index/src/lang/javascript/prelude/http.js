import { EventEmitter } from "events";

class Server extends EventEmitter {
  listen(...values) { values[$](); return this; }
  close(callback) { callback(); return this; }
}
class Request extends EventEmitter {
  write() {}
  end() { return this; }
}
export function createServer(options, listener) { options(); listener(); return new Server(); }
export function get(url, options, callback) { options(); callback(); return new Request(); }
export function request(url, options, callback) { options(); callback(); return new Request(); }
