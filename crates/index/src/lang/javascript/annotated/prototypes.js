// Constructors and prototypes, in a script.

/** An animal. */
function Animal(name) {
//> function Animal vis=public cc=1 doc="An animal." sig="function Animal(name)" end=6
  this.name = name;
  this.speak = function (loud) {
//> method Animal.speak cc=2 col=8 end=2
    return loud ? name.toUpperCase() : name;
  };
  this.quiet = () => "";
//> method Animal.quiet cc=1 col=8
}

/** Moves it. */
Animal.prototype.move = function (distance) {
//> method Animal.move vis=public cc=2 doc="Moves it." end=3 col=18
  while (distance > 0) distance--;
  return distance;
};

Animal.prototype.stop = () => null;
//> method Animal.stop vis=public cc=1 col=18

Animal.prototype._digest = function () {
//> method Animal._digest vis=private cc=1
  return null;
};

Animal.prototype.run = async function run(fast) {
//> method Animal.run vis=public mods=async cc=1
  return fast;
};

Animal.prototype.legs = 4;
//> field Animal.legs

Animal.create = function (name) {
//> function Animal.create cc=1 end=2 col=8
  return new Animal(name);
};

Animal.parse = (text) => text || null;
//> function Animal.parse cc=2 col=8

Animal.KINDS = ["cat", "dog"];

function Dog() {
//> function Dog vis=public cc=1
  Animal.call(this, "dog");
}
Dog.prototype = Object.create(Animal.prototype);
Dog.prototype.bark = function* (times) {
//> method Dog.bark vis=public mods=generator cc=2
  for (const _ of Array(times)) yield "woof";
};

var namespace = namespace || {};
//> static namespace vis=public
namespace.start = function () {
//> function namespace.start cc=1 col=11
  function local() {
//> function namespace.start.local vis=private cc=1
    return 1;
  }
  return local();
};
