//> file: src/functions.js
// A script: it imports and exports nothing, so its names are public.

function plain(a, b) {
//> function plain vis=public cc=1 sig="function plain(a, b)" mods=- end=2 col=10
  return a + b;
}

async function load(url, options = { method: "GET", body: '}' }) {
//> function load vis=public mods=async sig="async function load(url, options = { method: "GET", body: '}' })" col=16 end=2
  return fetch(url, options);
}

function* counter(limit = 3) {
//> function counter vis=public mods=generator cc=2 sig="function* counter(limit = 3)" col=11
  for (let i = 0; i < limit; i++) yield i;
}

async function* stream() {
//> function stream vis=public mods=async,generator col=17
  yield await load("/");
}

const add = (a, b) => a + b;
//> function add vis=public cc=1 sig="const add = (a, b)" col=7 end=0
const identity = x => x;
//> function identity vis=public sig="const identity = x"
let legacy = function (a) {
//> function legacy vis=public sig="let legacy = function (a)" end=2
  return a;
};
var named = function inner(n) {
//> function named vis=public cc=2 end=2
  return n ? inner(n - 1) : 0;
};
const later = async (ms) => {
//> function later vis=public mods=async cc=1 sig="const later = async (ms)"
  await ms;
};
const steps = function* () {
//> function steps vis=public mods=generator
  yield 1;
};
const object = () => ({ key: "value" });
//> function object vis=public cc=1 sig="const object = ()"
const curried = (a) => (b) => a && b;
//> function curried vis=public cc=1 sig="const curried = (a)"
//> function curried.<lambda1> cc=2

function multiline(
//> function multiline vis=public cc=1 sig="function multiline(first, { second, third = 3 } = {}, [fourth] = [], ...rest)" end=7 col=10
  first,
  { second, third = 3 } = {},
  [fourth] = [],
  ...rest
) {
  return [first, second, third, fourth, rest];
}

function tricky(a = "function fake() {", b = '}', c = `${"{"}`, d = /[}{]/g, e = () => ({})) {
//> function tricky vis=public cc=1 end=2 col=10
  return a + b + c + d + e;
}

function outer(flag) {
//> function outer vis=public cc=2 end=27
  const local = 1;
  let other;

  function inner() {
//> function outer.inner vis=private cc=1 sig="function inner()" col=12
    function innermost() {
//> function outer.inner.innermost vis=private cc=2 col=14
      return flag || local;
    }
    return innermost;
  }

  const arrow = (v) => v * 2;
//> function outer.arrow vis=private cc=1 sig="const arrow = (v)"
  var expr = function () { return 1; };
//> function outer.expr vis=private cc=1 end=0

  class Local {
//> class outer.Local vis=private
    run() {
//> method outer.Local.run vis=public cc=1
      return 1;
    }
  }

  if (flag) {
    function conditional() {
//> function outer.conditional vis=private cc=1
      return 2;
    }
    other = conditional;
  }
  return [inner, arrow, expr, Local, other];
}

function twice() {
//> function twice vis=public cc=1
  return 1;
}
function twice(again) {
//> function twice#2 vis=public cc=1 sig="function twice(again)"
  return again;
}

(function () {
//> function <lambda1> cc=2
  function hidden() {
//> function <lambda1>.hidden vis=private cc=1 col=12
    return "hidden";
  }
  if (hidden()) plain(1, 2);
})();

[1, 2].map((x) => x || 0).forEach(function (x) { plain(x); });
//> function <lambda2> cc=2
//> function <lambda3> cc=1

const LIMIT = 10;
//> constant LIMIT vis=public sig="const LIMIT = 10" col=7 end=0
let current = 0;
//> static current vis=public sig="let current = 0"
var old = "var";
//> static old vis=public sig="var old = "var""
let unset;
//> static unset vis=public sig="let unset"
const list = [
//> constant list vis=public end=3 col=7
  1,
  2,
];
const computed = plain(1, 2);
//> constant computed vis=public sig="const computed = plain(1, 2)"
const chosen = LIMIT > 5 ? "big" : "small";
//> constant chosen vis=public
let x1 = 1, y1 = 2;
//> static x1 vis=public col=5
//> static y1 vis=public col=13
const $dollar = 1;
//> constant $dollar vis=public col=7
const _underscore = 1;
//> constant _underscore
current = 3;
current += 1;

it("is not a test here", () => {
  plain(1, 2);
});
describe("not a namespace here", function () {
  plain(1, 2);
});

function größe(maß = "ß") { return maß; }
//> function größe vis=public sig="function größe(maß = "ß")" col=10 end=0
const Ünïcode = "äöü", naïve = () => "🐦";
//> constant Ünïcode vis=public col=7
//> function naïve vis=public col=24
function 計算(値) {
//> function 計算 vis=public col=10
  return 値;
}
