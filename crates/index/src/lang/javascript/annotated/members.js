// Members that are given, not declared.

class Store {
//> class Store vis=public
  size = 0;
//> field Store.size
  constructor(name) {
//> constructor Store.constructor
    this.name = name;
//> field Store.name vis=public sig="this.name = name" col=10
    this._open = true;
//> field Store._open vis=private
    this.size = 1;
    this.table = { rows: [], index: { byName() {} } };
//> field Store.table
//> field Store.table.index
//> method Store.table.index.byName
    this.flush = () => {};
//> method Store.flush mods=-
  }

  close() {
//> method Store.close
    this.name = null;
    this.closed = true;
//> field Store.closed
  }

  ["quoted name"]() {}
//> method Store.quoted·name

  [Symbol.iterator]() {}
//> method Store.[Symbol.iterator]
}

function Plain() {
//> function Plain
  this.value = 1;
  this.nested = { a: 1 };
//> field Plain.nested
}

Plain.prototype.alias = close;
//> field Plain.alias
Plain.prototype = {
  reset() {},
//> method Plain.reset
};

Store.Reader = class Reader {
//> class Reader col=22
//> field Store.Reader
  read() {}
//> method Reader.read
};

Store.Writer = class {
//> class Store.Writer
  write() {}
//> method Store.Writer.write
};

window.handler = function () {}.bind(window);
//> function window.handler
window.settings = { depth: 1 };
//> field window.settings

send({ headers: { accept() {} } });
//> method headers.accept
