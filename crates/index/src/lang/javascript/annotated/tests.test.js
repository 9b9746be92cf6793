//> file: src/cart.test.js
import { Cart } from './cart';
//> import Cart from ./cart Cart

const PRICE = 3;
//> constant PRICE vis=private

function makeCart(n = 0) {
//> function makeCart vis=private cc=1
  return new Cart(n);
}

describe('cart', () => {
//> namespace cart end=43
  let cart;
  const size = 3;

  beforeEach(() => {
    cart = makeCart(size);
  });

  function local() {
//> function cart.local vis=private cc=1
    return cart;
  }

  const helper = (n) => n || 1;
//> function cart.helper vis=private cc=2

  it('starts empty', () => {
//> test cart.starts·empty cc=1 end=2
    expect(cart.size).toBe(0);
  });

  it("adds items one by one", async function () {
//> test cart.adds·items·one·by·one cc=2
    for (const item of [1, 2]) await cart.add(item);
  });

  it.only('only this', () => {
//> test cart.only·this cc=1
    expect(local()).toBe(helper());
  });

  test.skip('skipped', () => {
//> test cart.skipped cc=1
    const inner = () => 1;
//> function cart.skipped.inner vis=private
    expect(inner()).toBe(1);
  });

  context('when full', function () {
//> namespace cart.when·full end=8
    specify('refuses', (done) => {
//> test cart.when·full.refuses cc=2
      if (cart.full) done();
    });

    describe('and locked', () => {
//> namespace cart.when·full.and·locked
      it('throws', () => expect(PRICE).toBe(3));
//> test cart.when·full.and·locked.throws cc=1 end=0
    });
  });

  it('is pending');
  it(cart, () => {});
});

describe('cart', () => {
//> namespace cart#2
  expect(1).toBe(1);
});

suite('suite', function () {
//> namespace suite
  test('runs', function () {
//> test suite.runs cc=1
    expect(1).toBe(1);
  });
});

test.each([
  [1, 2],
  [2, 4],
])('doubles %i', (a, b) => {
//> test doubles·%i cc=1
  expect(a * 2).toBe(b);
});

test('top level', () => {
//> test top·level cc=2 end=2
  expect(PRICE ? 1 : 2).toBe(1);
});

it('same name', () => {});
//> test same·name
it('same name', () => {});
//> test same·name#2
submit('not a test', () => {});
