import type { CartView } from "../api.js";
import { PriceTag } from "./PriceTag.js";

/** List what is in the cart, with the total below. */
export function CartTable({ cart }: { cart: CartView }) {
  const rows = Object.entries(cart.items).map(([sku, count]) => <li>{`${count} × ${sku}`}</li>);
  return (
    <section>
      <ul>{rows}</ul>
      <PriceTag cents={cart.total} />
    </section>
  );
}
