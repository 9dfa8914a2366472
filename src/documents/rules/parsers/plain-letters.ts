const MARK = /\p{M}/gu;

/** Signs that scans and fonts take for one another, and the one that stands for all. */
const ALIKE: Readonly<Record<string, string>> = {
  '\u2019': "'",
  '\u00b4': "'",
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2010': '-',
  '\u2011': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
  '\u2007': ' ',
};

const OTHER = /[^\0-\x7f]/g; // oxlint-disable-line no-control-regex
const plain = new Map<string, string>();
const MOST_KEPT = 10_000;

/** A text in lower case and without accents, unit for unit, so that places in it are places in the text. */
export function plainLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(OTHER, plainLetter);
}

function plainLetter(letter: string): string {
  const known = plain.get(letter);
  if (known !== undefined) return known;
  const bare = letter.normalize('NFKD').replace(MARK, '').toLowerCase();
  const found = ALIKE[letter] ?? (bare.length === 1 ? bare : letter);
  if (plain.size < MOST_KEPT) plain.set(letter, found);
  return found;
}
