export interface CartView {
  items: Record<string, number>;
  total: number;
}

/** Fetch the cart; the server is the only one that computes prices. */
export async function fetchCart(base: string): Promise<CartView> {
  const response = await fetch(`${base}/cart`);
  if (!response.ok) {
    throw new Error(`cart: status ${response.status}`);
  }
  return (await response.json()) as CartView;
}
