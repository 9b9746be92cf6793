export function nextTick(callback, ...values) { callback(...values); }
export function on(name, callback) { callback(); }
export function once(name, callback) { callback(); }
