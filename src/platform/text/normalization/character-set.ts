const UNKNOWN = 0;
const YES = 1;
const NO = 2;
const UNITS = 0x10000;

/** A set of characters that a regular expression tells; what it has said of a UTF-16 unit is kept in a table of 64 KiB. */
export class CharacterSet {
  private readonly table = new Uint8Array(UNITS);

  /** @param character matches a text of one character where it is in the set; it is not global */
  constructor(private readonly character: RegExp) {}

  /** Whether a UTF-16 unit by itself is in the set; half of a character is in none. */
  hasUnit(code: number): boolean {
    if (this.table[code] === UNKNOWN) this.table[code] = this.character.test(String.fromCharCode(code)) ? YES : NO;
    return this.table[code] === YES;
  }

  /** How many UTF-16 units of a text are of characters in the set, in time in proportion to it. */
  countIn(text: string): number {
    let count = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.hasUnit(code)) count += 1;
      else if (code >= 0xd800 && code <= 0xdbff) {
        const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
        if (character.length === 2 && this.character.test(character)) count += 2;
        at += character.length - 1;
      }
    }
    return count;
  }
}
