export function inherits(made, base) { made.prototype = base.prototype; }
export function promisify(callback) { return async (...values) => callback(...values); }
