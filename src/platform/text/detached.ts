/** Shorter texts are copied by the engine anyway, in UTF-16 units. */
const SHORT = 13;

/** A copy of a part of a text: as long as a part is kept, V8 keeps the whole text that it was cut from. */
export function detached(part: string): string {
  return part.length < SHORT ? part : Buffer.from(part, 'utf16le').toString('utf16le');
}
