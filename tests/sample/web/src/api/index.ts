/** Where the shop's server is. */
export const BASE_URL = "/api";

export interface CartView {
  owner: string;
  total: number;
}

/** Asks the server for a cart. */
export async function fetchCart(owner: string): Promise<CartView> {
  const reply = await fetch(`${BASE_URL}/carts/${encodeURIComponent(owner)}`);
  if (!reply.ok || reply.status === 204) {
    throw new Error(`no cart for ${owner}`);
  }
  return reply.json();
}
