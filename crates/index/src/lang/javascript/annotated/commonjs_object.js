/* The functions of the exported object are named at module level. */
const path = require('path');
//> import path from path -

function shorthand() {
//> function shorthand vis=public cc=1
  return path.sep;
}

function notExported() {
//> function notExported vis=private cc=1
  return shorthand();
}

module.exports = {
  shorthand,
  /** Runs it. */
  run() {
//> function run vis=public cc=1 doc="Runs it." end=2 col=3
    return notExported();
  },
  stop: function () {
//> function stop vis=public cc=1 end=2 col=3
    return 1;
  },
  pause: (ms) => ms && 1,
//> function pause vis=public cc=2 col=3
  async resume() {
//> function resume vis=public mods=async
    await 1;
  },
  limit: 3,
  name: 'run() {}',
};
