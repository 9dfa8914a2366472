/** How much of the beginning and of the middle of a text is looked at, in UTF-16 units. */
const SAMPLE = 4_000;
/** eld reads the first 1,000 units of what it is given. */
const PIECE = 1_000;
/** Letters below which a text of an alphabet that several languages share tells nothing. */
const LEAST_LETTERS = 12;
/** The part of the letters that the script of the text has. */
const LEAST_SHARE = 0.6;
/** Japanese is written with Chinese characters between its own: so much of them is enough. */
const KANA_SHARE = 0.05;

/** What no language is in: fenced and inline code, tags; addresses, paths, and other words with digits or signs. */
const CODE = /`{3}[^`]*(?:`{3}|$)|`[^`\n]*`|<[^<>\n]*>/g;
const ASCII_WORD = /[!-~]+/g;
const NO_WORD = /[\d@/\\_={}[\]|$#]/;

/** Scripts that one language is written in, or nearly so, and those that say nothing yet. */
const LATIN = /\p{Script=Latin}/gu;
const SCRIPTS: readonly (readonly [RegExp, string | undefined])[] = [
  [LATIN, undefined],
  [/\p{Script=Cyrillic}/gu, undefined],
  [/\p{Script=Arabic}/gu, undefined],
  [/\p{Script=Devanagari}/gu, undefined],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Lao}/gu, 'lo'],
  [/\p{Script=Khmer}/gu, 'km'],
  [/\p{Script=Myanmar}/gu, 'my'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Kannada}/gu, 'kn'],
  [/\p{Script=Malayalam}/gu, 'ml'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
  [/\p{Script=Oriya}/gu, 'or'],
  [/\p{Script=Sinhala}/gu, 'si'],
  [/\p{Script=Ethiopic}/gu, 'am'],
];
const LETTER = /\p{L}/gu;

/**
 * Tells the language of a text by its beginning and its middle, whatever its length: by its script where that is enough,
 * else by eld, whose tables are loaded at first use (85 MiB and 0.2 s). Code, addresses and words with digits say nothing.
 * @returns the primary subtag of BCP 47, such as `de`; undefined where it is not clear, as of a few words
 */
export async function detectLanguage(text: string): Promise<string | undefined> {
  const samples = samplesOf(text).map(proseOf);
  const prose = samples.join('\n');
  const script = scriptOf(prose);
  if (script === undefined || script.language !== undefined) return script?.language;
  if (script.letters < LEAST_LETTERS) return undefined;
  const { eld } = await import('eld/extrasmall');
  const votes = new Map<string, number>();
  let pieces = 0;
  for (const piece of samples.flatMap(piecesOf)) {
    const { language, isReliable } = eld.detect(piece);
    if (language === '') continue;
    pieces += 1;
    if (isReliable()) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  return best && best[1] > pieces / 2 ? best[0] : undefined;
}

function samplesOf(text: string): string[] {
  if (text.length <= 2 * SAMPLE) return [text];
  const middle = Math.floor((text.length - SAMPLE) / 2);
  return [text.slice(0, SAMPLE), text.slice(Math.max(SAMPLE, middle), middle + SAMPLE)];
}

function proseOf(sample: string): string {
  return sample.replaceAll(CODE, ' ').replaceAll(ASCII_WORD, (word) => (NO_WORD.test(word) ? ' ' : word));
}

function piecesOf(sample: string): string[] {
  const prose = sample.replaceAll(/\s+/g, ' ').trim();
  const pieces: string[] = [];
  for (let start = 0; start < prose.length; start += PIECE) pieces.push(prose.slice(start, start + PIECE));
  // A short rest of a long text tells less than it is counted for.
  return pieces.filter((piece, index) => index === 0 || piece.length > PIECE / 4);
}

/** The script that most letters of a text are of, and the language that is enough for; undefined where none prevails. */
function scriptOf(text: string): { language: string | undefined; letters: number } | undefined {
  const all = text.match(LETTER)?.length ?? 0;
  const latin = text.match(LATIN)?.length ?? 0;
  // No other script can prevail then: to count the letters of all of them takes ten times as long.
  if (latin > 0 && latin >= all * LEAST_SHARE) return { language: undefined, letters: latin };
  const counts = SCRIPTS.map(([letter, language]) => ({ language, letters: text.match(letter)?.length ?? 0 }));
  const kana = counts.find(({ language }) => language === 'ja')?.letters ?? 0;
  const han = counts.find(({ language }) => language === 'zh')?.letters ?? 0;
  if (all > 0 && kana >= (kana + han) * KANA_SHARE && kana + han >= all * LEAST_SHARE) {
    return { language: 'ja', letters: kana + han };
  }
  const best = counts.reduce((most, count) => (count.letters > most.letters ? count : most));
  return best.letters > 0 && best.letters >= all * LEAST_SHARE ? best : undefined;
}
