var parts = require('./parts');
//> import parts from ./parts -

/**
 * Builds the thing.
 *
 * @param {object} options what to build
 * @returns {object}
 */
module.exports = function build(options) {
//> function build vis=public cc=3 doc="Builds the thing." end=9 col=27
  for (const part of parts) {
    if (part) add(part);
  }

  function add(part) {
//> function build.add vis=private cc=1
    options.push(part);
  }
  return options;
};
