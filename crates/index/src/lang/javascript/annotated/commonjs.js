#!/usr/bin/env node
'use strict';

const fs = require('fs');
//> import fs from fs -
const { join, resolve: absolute } = require('node:path');
//> import join from node:path join
//> import absolute from node:path resolve
var helpers = require('./lib/helpers');
//> import helpers from ./lib/helpers -
let { only } = require("../only.js");
//> import only from ../only.js only

const SECRET = 'require("not-an-import")';
//> constant SECRET vis=private
const VERSION = '1.0';
//> constant VERSION vis=public
let cache = null;
//> static cache vis=private

/** Reads a file. */
function read(path) {
//> function read vis=public cc=1 doc="Reads a file." sig="function read(path)" end=2
  return fs.readFileSync(absolute(join(path)));
}

function internalOnly() {
//> function internalOnly vis=private cc=2
  cache = cache || helpers.make(only);
  return cache;
}

class Store {
//> class Store vis=public
  get(key) {
//> method Store.get vis=public
    return key;
  }
}

class Hidden {
//> class Hidden vis=private
  open() {
//> method Hidden.open vis=public
    return new Store();
  }
}

/** Writes a file. Slowly. */
exports.write = function (path, data) {
//> function write vis=public cc=1 doc="Writes a file." end=2 col=9
  return fs.writeFileSync(path, data);
};

exports.append = (path, data) => {
//> function append vis=public cc=2 col=9
  if (data) fs.appendFileSync(path, data);
};

exports.stat = async function (path) {
//> function stat vis=public mods=async
  return fs.promises.stat(path);
};

module.exports.remove = function (path) {
//> function remove vis=public cc=1 end=2 col=16
  fs.unlinkSync(path);
};

module.exports.touch = async (path) => internalOnly(path);
//> function touch vis=public mods=async end=0

exports.read = read;
exports.VERSION = VERSION;
module.exports.Store = Store;

const util = {};
//> constant util vis=private
util.trim = function (s) {
//> function util.trim cc=1 end=2 col=6
  return s.trim();
};
util.pad = (s, n) => (n > 0 ? s.padStart(n) : s);
//> function util.pad cc=2 col=6
util.count = 3;
