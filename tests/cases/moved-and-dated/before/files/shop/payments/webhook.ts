export function receive(event: { id: string }): string {
  return event.id;
}

export function verify(signature: string): boolean {
  return signature.length > 0;
}
