/** A text in a charset, by what TextDecoder makes of one and two bytes. @throws Error where it has no such character */
export function encoded(text: string, charset: string): Buffer {
  const bytes = tableOf(charset);
  return Buffer.concat(
    [...text].map((character) => {
      const found = bytes.get(character);
      if (!found) throw new Error(`${charset} has no ${character}`);
      return found;
    }),
  );
}

function tableOf(charset: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(charset);
  const bytes = new Map<string, Buffer>();
  const add = (sequence: Buffer) => {
    const character = decoder.decode(sequence);
    if ([...character].length === 1 && character !== '\ufffd' && !bytes.has(character)) bytes.set(character, sequence);
  };
  for (let first = 0; first < 256; first += 1) add(Buffer.of(first));
  for (let first = 0x81; first < 0xff; first += 1) {
    for (let second = 0x40; second < 0xff; second += 1) add(Buffer.of(first, second));
  }
  return bytes;
}
