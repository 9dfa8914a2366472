/** How a character is written. */
interface Letter {
  /** Undefined: it is no letter. */
  readonly script: string | undefined;
  readonly isUpper: boolean;
  readonly isAscii: boolean;
  /** Undefined where it is as usual: it stands in hardly any text. */
  readonly cost: number;
  /** A sign that stands between words alone. */
  readonly isSign: boolean;
}

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Hebrew', 'Arabic', 'Hangul'].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
);
const LETTER = /\p{L}|\p{M}/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;
const UPPER = /\p{Lu}/u;
/** No text has them. */
const IMPOSSIBLE = /[\x80-\x9f\ufffd]|\p{Co}|\p{Cn}/u;
/** Written by old Japanese machines alone, and what other texts become. */
const HALF_WIDTH = /[\uff61-\uff9f]/;
const USUAL_SIGN = /[\p{Ps}\p{Pe}‘’“”„‚–—…«»¿¡·•€£¥°§©®™№´ªº¶½¼¾²³×±\u00a0\u3000-\u303f\uff00-\uff60，。、]/u;
/** Signs within words: `l’été`. */
const WITHIN_WORDS = /['’·]/;

/** So strange is what no text has, and what few have. */
const COSTS = { impossible: 3, halfWidth: 0.6, sign: 1, mixed: 1, besideAscii: 0.5, crowded: 1 };
/** Longer words are none. */
const LONGEST_WORD = 60;

/**
 * How strange a text is, for each of its characters beyond ASCII: 0 for what people write, about 1 for a text that was read
 * in another charset than it was written in, with capitals and signs within words, and letters of several scripts.
 */
export function strangenessOf(text: string): number {
  const letters = new Map<string, Letter>();
  const toLetter = (character: string): Letter => {
    const letter = letters.get(character) ?? readLetter(character);
    letters.set(character, letter);
    return letter;
  };
  const characters = [...text];
  let [count, cost] = [0, 0];
  let [accented, word] = [0, 0];
  for (const [index, character] of characters.entries()) {
    const letter = toLetter(character);
    const before = toLetter(characters[index - 1] ?? ' ');
    accented = !letter.isAscii && letter.script === 'Latin' ? accented + 1 : 0;
    word = letter.script && letter.script !== 'East Asian' ? word + 1 : 0;
    count += letter.isAscii ? 0 : 1;
    cost += letter.cost + costBetween(before, letter) + (accented > 2 || word > LONGEST_WORD ? COSTS.crowded : 0);
    if (hasInnerCapital(toLetter(characters[index - 2] ?? ' '), before, letter)) cost += COSTS.mixed;
    const isWithinWord = letter.isSign && before.script && toLetter(characters[index + 1] ?? ' ').script;
    if (isWithinWord && before.script !== 'East Asian') cost += COSTS.sign;
  }
  return cost / Math.max(1, count);
}

/** Whether a capital beyond ASCII stands in the middle of a word. */
function hasInnerCapital(first: Letter, middle: Letter, last: Letter): boolean {
  const isWord = first.script === 'Latin' && middle.script === 'Latin' && last.script === 'Latin';
  return isWord && middle.isUpper && !middle.isAscii && !last.isUpper;
}

/** What it costs that one character follows another. */
function costBetween(before: Letter, letter: Letter): number {
  if (!before.script || !letter.script || (before.isAscii && letter.isAscii)) return 0;
  if (before.script === letter.script)
    return letter.isUpper && !before.isUpper && letter.script !== 'East Asian' ? COSTS.mixed : 0;
  const isEastAsian = [before, letter].some(({ script }) => script === 'East Asian' || script === 'Hangul');
  return isEastAsian ? COSTS.besideAscii : COSTS.mixed;
}

function readLetter(character: string): Letter {
  const isAscii = character < '\x80';
  const isLetter = LETTER.test(character);
  const script = isLetter || EAST_ASIAN.test(character) ? scriptOf(character) : undefined;
  const isSign = !isAscii && script === undefined && !WITHIN_WORDS.test(character);
  return { script, isAscii, isUpper: UPPER.test(character), cost: isAscii ? 0 : costOf(character, script), isSign };
}

function scriptOf(character: string): string {
  if (EAST_ASIAN.test(character)) return 'East Asian';
  return SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other';
}

function costOf(character: string, script: string | undefined): number {
  if (IMPOSSIBLE.test(character)) return COSTS.impossible;
  if (HALF_WIDTH.test(character)) return COSTS.halfWidth;
  return script === undefined && !USUAL_SIGN.test(character) ? COSTS.sign : 0;
}
