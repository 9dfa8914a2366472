import { toPlainCharacter } from '../../../platform/text/normalization/character-map.js';

/**
 * Brings the characters of a pattern into the form of the text that it is looked for in. What is written as an escape
 * stays as it is.
 */
export function normalizePattern(pattern: string): string {
  let normalized = '';
  for (const character of pattern) {
    const plain = toPlainCharacter(character.codePointAt(0) ?? 0) ?? character;
    // In a class, a dash or another sign would be syntax.
    normalized += plain === character ? character : [...plain].map(toEscape).join('');
  }
  return normalized;
}

function toEscape(character: string): string {
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
