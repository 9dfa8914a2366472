/** What most file systems take. */
const MOST_BYTES = 255;
/** Control characters, and what turns the direction of text: `\u202Egpj.exe` reads as `exe.jpg`. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The name of a file as it is kept and told: the last part of a path, in NFC, without control characters, at most 255
 * bytes of UTF-8, of which the last are those of its extension.
 * @param fallback what takes the place of a name of which nothing is left
 */
export function toFileName(name: string, fallback = 'file'): string {
  const last = name.normalize('NFC').toWellFormed().replace(HIDDEN, '').split(/[\\/]/).at(-1)?.trim() ?? '';
  if (last === '' || last === '.' || last === '..') return fallback;
  const dot = last.lastIndexOf('.');
  const hasExtension = dot > 0 && Buffer.byteLength(last.slice(dot)) <= 16;
  const extension = hasExtension ? last.slice(dot) : '';
  return (
    shortened(last.slice(0, last.length - extension.length), MOST_BYTES - Buffer.byteLength(extension)) + extension
  );
}

/** A text of at most so many bytes of UTF-8; no character is cut. */
function shortened(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  let end = mostBytes;
  // Bytes that go on with a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
