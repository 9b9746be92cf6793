import { get } from 'http';
//> import get from http get

const state = { open: false };
//> constant state vis=private

export default {
  name: 'plugin',
  /** Installs it. */
  install(app) {
//> function install vis=public cc=2 doc="Installs it." end=2 col=3
    if (app) get(state);
  },
  remove: (app) => app,
//> function remove vis=public cc=1 col=3
  update: function () {
//> function update vis=public cc=1
    return 1;
  },
};
