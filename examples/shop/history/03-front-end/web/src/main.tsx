import { fetchCart } from "./api.js";
import { CartTable } from "./components/CartTable.js";

export async function start(base: string) {
  return <CartTable cart={await fetchCart(base)} />;
}
