export function readFile(path, options, callback) { options(); callback(); }
export function writeFile(path, options, callback) { options(); callback(); }
export function appendFile(path, options, callback) { options(); callback(); }
export function readdir(path, options, callback) { options(); callback(); }
export function stat(path, options, callback) { options(); callback(); }
export function lstat(path, options, callback) { options(); callback(); }
export function mkdir(path, options, callback) { options(); callback(); }
export function access(path, options, callback) { options(); callback(); }
export function open(path, options, callback) { options(); callback(); }
export function rm(path, options, callback) { options(); callback(); }
export function copyFile(path, options, callback) { options(); callback(); }
export function mkdtemp(path, options, callback) { options(); callback(); }
export function unlink(path, callback) { callback(); }
export function rename(from, to, callback) { callback(); }
export function exists(path, callback) { callback(); }
export function watch(path, options, callback) { options(); callback(); }
export function watchFile(path, options, callback) { options(); callback(); }
