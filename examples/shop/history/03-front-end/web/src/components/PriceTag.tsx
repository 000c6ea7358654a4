interface PriceTagProps {
  cents: number;
}

/** Show a price the way the invoice prints it. */
export function PriceTag({ cents }: PriceTagProps) {
  const euros = Math.floor(cents / 100);
  const rest = String(cents % 100).padStart(2, "0");
  return <span class="price">{`${euros}.${rest} €`}</span>;
}
