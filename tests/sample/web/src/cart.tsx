import { fetchCart, type CartView } from "./api";

type Props = { owner: string };

export class CartStore {
  private view: CartView | null = null;

  constructor(private readonly owner: string) {}

  get total(): number {
    return this.view?.total ?? 0;
  }

  refresh = async () => {
    this.view = await fetchCart(this.owner);
  };
}

export default function Cart({ owner }: Props) {
  const store = new CartStore(owner);
  return <button onClick={() => store.refresh()}>{store.total}</button>;
}
