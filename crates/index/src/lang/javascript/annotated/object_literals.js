// A script of object literals.

const api = {
//> constant api vis=public end=40 col=7
  v: 1,
  /** Gets one. */
  get(id) {
//> method api.get vis=public cc=1 sig="get(id)" doc="Gets one." end=2 col=3
    return id;
  },
  put: (id, value) => value || id,
//> method api.put vis=public cc=2 col=3
  post: function (value) {
//> method api.post vis=public cc=1 end=2
    return value;
  },
  async remove(id) {
//> method api.remove vis=public mods=async sig="async remove(id)"
    return id;
  },
  *all() {
//> method api.all mods=generator
    yield 1;
  },
  get size() {
//> method api.size mods=getter sig="get size()"
    return 0;
  },
  set size(n) {
//> method api.size#2 mods=setter
    this.n = n;
  },
  _hidden() {},
//> method api._hidden vis=private end=0
  later: async () => null,
//> method api.later mods=async
  text: "fake() {}",
  pattern: /fake\(\) {/,
  list: [1, 2],
  v1: {
//> field api.v1
    get() { return 1; },
//> method api.v1.get vis=public end=0
    deep: {
//> field api.v1.deep
      put: () => 2,
//> method api.v1.deep.put vis=public cc=1 col=7
      value: 3,
    },
  },
  nested() {
//> method api.nested cc=1
    function inside() {
//> function api.nested.inside vis=private cc=2
      return api ? 1 : 2;
    }
    return inside;
  },
};

let handlers = {
//> static handlers vis=public
  click() {},
//> method handlers.click vis=public end=0
};

var plainData = { a: 1, b: { c: "d" } };
//> field plainData.b
//> static plainData vis=public

function outer() {
//> function outer vis=public cc=1 end=9
  const width = 3;
  return {
    width,
    run() {
//> method outer.run cc=1 end=2 col=5
      return width;
    },
    walk: () => width && 1,
//> method outer.walk cc=2 col=5
  };
}

function wire(bus) {
//> function wire vis=public cc=1
  bus.attach({
    start() { return 1; },
//> method wire.start end=0
    stop: function () { return 2; },
//> method wire.stop
  });
}

const factory = () => ({
//> function factory vis=public cc=1 end=2 col=7
  make() { return 1; },
//> method factory.make
});
