export function setTimeout(callback, delay, ...values) { callback(...values); }
export function setInterval(callback, delay, ...values) { callback(...values); }
export function setImmediate(callback, ...values) { callback(...values); }
