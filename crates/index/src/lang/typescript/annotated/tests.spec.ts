//> file: src/cart.spec.ts
import { describe, it, expect } from 'vitest';
//> import describe from vitest describe
//> import it from vitest it
//> import expect from vitest expect
import type { Cart } from './cart';
//> import Cart from ./cart Cart

interface Fixture { cart: Cart }
//> interface Fixture vis=private
//> field Fixture.cart vis=public

const make = (): Fixture => ({ cart: null as unknown as Cart });
//> function make vis=private cc=1

describe('typed cart', () => {
//> namespace typed·cart
  class Fake {
//> class typed·cart.Fake vis=private
    run(): void {}
//> method typed·cart.Fake.run vis=public
  }

  it('holds items', async (): Promise<void> => {
//> test typed·cart.holds·items cc=2
    expect(make().cart && new Fake()).toBeNull();
  });

  it.each([[1], [2]])('takes %d', (n: number) => {
//> test typed·cart.takes·%d cc=1
    expect(n).toBe(n);
  });

  it.skip("waits", function (this: unknown) {
//> test typed·cart.waits cc=2
    for (const x of [1]) expect(x).toBe(1);
  });
});
