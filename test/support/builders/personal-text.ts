import type { PersonalText } from '../../proof/sanitizer-matching/personal-texts.js';

/** Makes a text with an e-mail address in it. @param string where in the text the address is */
export function personalText(text: string, string: string): PersonalText {
  const start = text.indexOf(string);
  return { sort: 'e-mail address', kind: 'email', spelling: 'plain', text, start, end: start + string.length };
}
