import { log } from './log';
//> import log from ./log log

/** Has no name. */
export default function () {
//> function default vis=public mods=default cc=2 doc="Has no name." end=5
  function inside() {
//> function default.inside vis=private
    return 1;
  }
  return log && inside();
}
