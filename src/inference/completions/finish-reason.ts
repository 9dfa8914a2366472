/** Whether a reason says that a choice has ended; servers send empty ones, and the word null, with every piece. */
export function isEnd(reason: unknown): boolean {
  return typeof reason === 'string' && !/^\s*(null|none)?\s*$/i.test(reason);
}
