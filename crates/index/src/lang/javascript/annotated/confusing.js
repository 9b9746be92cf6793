/* function inBlockComment() {} */
// function inLineComment() {}
// class InLineComment {}

const template = `
//> constant template vis=public end=4
function inTemplate() { return 1; }
class InTemplate { method() {} }
${[1, 2].map((n) => `const nested${n} = () => {};`).join("\n")}
`;

function afterTemplate() { return `}`; }
//> function afterTemplate vis=public end=0 col=10

const regex = /function fake\(\) \{ "/g;
//> constant regex vis=public
const division = 4 / 2 / 1; // const commented = () => 1;
//> constant division vis=public
const classRegex = /[/*"'`{]+/;
//> constant classRegex vis=public
const escaped = "\"function quoted() {\" \
//> constant escaped vis=public end=1
const continued = () => {}";

function afterRegex(a) {
//> function afterRegex vis=public cc=1 end=2 col=10
  return a.replace(/}/g, "{").replace(/[{]/, '}');
}

const tagged = html`<a onclick="function inHtml() {}">${() => "}"}</a>`;
//> constant tagged vis=public

function asi() {
//> function asi vis=public cc=1 end=4
  const a = 1
  const b = 2
  return a + b
}
const noSemicolon = () => 1
//> function noSemicolon vis=public end=0
const next = noSemicolon()
//> constant next vis=public

/* A plain block comment is not a doc. */
function plainComment() {}
//> function plainComment doc=""
// A line comment is not a doc.
function lineComment() {}
//> function lineComment doc=""
/** One line. */
function oneLine() {}
//> function oneLine doc="One line."
/**
 * Many lines. And more.
 *
 * @param {string} a first
 */
function manyLines(a) {}
//> function manyLines doc="Many lines." sig="function manyLines(a)"
/**
   No stars here.
 */
function noStars() {}
//> function noStars doc="No stars here."
/** No period
 * @returns nothing
 */
function noPeriod() {}
//> function noPeriod
/** Costs 1.5 units. Then more. */
const priced = () => 1.5;
//> function priced doc="Costs 1.5 units."
/** The limit. */
const LIMIT = 1;
//> constant LIMIT doc="The limit."

/** Uses `code` – größer. */
class Documented {
//> class Documented doc="Uses `code` – größer."
  /** A field. */
  field = 1;
//> field Documented.field doc="A field."
  /** A method. */
  async *method() {}
//> method Documented.method doc="A method." mods=async,generator
  /* Not a doc. */
  other() {}
//> method Documented.other doc=""
}

if (typeof window === "undefined") {
  function conditional() { return "}"; }
//> function conditional end=0 col=12
}

label: for (let i = 0; i < 1; i++) {
  print(i);
}

var get = 1, set = 2, of = 3, async = 4;
//> static get vis=public col=5
//> static set vis=public col=14
//> static of vis=public col=23
//> static async vis=public col=31
async = (get) / set / of;

function last() { return async; }
//> function last vis=public col=10
