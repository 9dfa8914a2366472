import { analyse } from 'chardet';
import { strangenessOf } from './strangeness.js';

/** How the bytes of a text are read that are in no charset that can be told: Western European, as browsers do. */
const LEGACY = 'windows-1252';

/**
 * What is tried, by their names for TextDecoder; of two that are as good the first. chardet knows neither those of old Macs
 * nor that of DOS, and of a short text it tells little.
 */
const CANDIDATES = [
  LEGACY,
  'windows-1250',
  'windows-1251',
  'koi8-r',
  'macintosh',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'ibm866',
  'x-mac-cyrillic',
];

/** What is looked at, in bytes: lines with bytes beyond ASCII. */
const STATISTICS_BYTES = 16 * 1024;
const SAMPLE_BYTES = 512;

/** What chardet is sure of may look as strange as this. */
const TRUST = 0.25;
/** Where more than this part of what is beyond ASCII is no character of UTF-8, the text is in another charset. */
const DAMAGED = 0.1;

/** Nearly any bytes are characters of these: of a text that is not short, chardet knows whether they are common ones. */
const EAST_ASIAN = new Set(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']);
const SHORT_BYTES = 60;
const LEAST_SURENESS = 0.2;
const DOUBT = 0.5;

/** What is more strange than this in each charset is in none of them. */
const MOST_COST = 0.5;

/** Charsets of Latin letters that differ by letters which are strange in none of them: the language tells. */
const LATIN = [LEGACY, 'windows-1250', 'windows-1254', 'windows-1257'];
/** The languages whose letters are in the second of them. */
const CENTRAL_EUROPEAN = new Set(['cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl']);
/** By how much less a text is of its language in another charset. */
const LANGUAGE_MARGIN = 0.02;

const LINE_BREAK = 0x0a;
const JAPANESE_ESCAPES = ['\u001b$B', '\u001b$@'];

/**
 * Tells the charset of a text that does not say it and is no UTF-8: by the frequencies that chardet knows, and by how strange
 * the text would be in each charset.
 * @param head the beginning of the text
 * @returns a name that TextDecoder knows
 */
export function guessCharset(head: Uint8Array): string {
  if (isDamagedUtf8(head)) return 'utf-8';
  return leastOf(costsOf(head)).charset;
}

/** How badly each charset fits. */
function costsOf(head: Uint8Array): ReadonlyMap<string, number> {
  const lines = linesBeyondAscii(head, STATISTICS_BYTES);
  const sureness = new Map<string, number>();
  for (const { name, confidence } of analyse(lines)) {
    const charset = knownCharset(name);
    if (charset !== undefined) sureness.set(charset, Math.max(confidence / 100, sureness.get(charset) ?? 0));
  }
  const sample = linesBeyondAscii(head, SAMPLE_BYTES);
  const charsets = [...new Set([...CANDIDATES, ...sureness.keys()])];
  return new Map(
    charsets.map((charset) => {
      const strangeness = strangenessOf(new TextDecoder(charset).decode(sample));
      const sure = sureness.get(charset) ?? 0;
      const isDoubtful = EAST_ASIAN.has(charset) && sure < LEAST_SURENESS && lines.length > SHORT_BYTES;
      return [charset, strangeness - TRUST * sure + (isDoubtful ? DOUBT : 0)];
    }),
  );
}

/** The first that costs least. */
function leastOf(costs: ReadonlyMap<string, number>): { readonly charset: string; readonly cost: number } {
  let best = { charset: LEGACY, cost: MOST_COST };
  for (const [charset, cost] of costs) if (cost < best.cost) best = { charset, cost };
  return best;
}

/** As `guessCharset`, and by the language that the text would be in (eld's tables take 85 MiB and 0.2 s at first use). */
export async function tellCharset(head: Uint8Array): Promise<string> {
  if (isDamagedUtf8(head)) return 'utf-8';
  const costs = costsOf(head);
  const guessed = leastOf(costs);
  if (!LATIN.includes(guessed.charset)) return guessed.charset;
  const possible = LATIN.filter((charset) => (costs.get(charset) ?? 0) <= guessed.cost + TRUST);
  const { eld } = await import('eld/extrasmall');
  const sample = linesBeyondAscii(head, SAMPLE_BYTES);
  const likelihoods = possible.map((charset) => {
    const { language, getScores } = eld.detect(new TextDecoder(charset).decode(sample));
    return { charset, language, score: Math.max(0, ...Object.values(getScores())) };
  });
  const most = Math.max(...likelihoods.map(({ score }) => score));
  const likely = likelihoods.filter(({ score }) => score > most - LANGUAGE_MARGIN);
  const central = likely.find(({ charset, language }) => charset === LATIN[1] && CENTRAL_EUROPEAN.has(language));
  const same = likely.find(({ charset }) => charset === guessed.charset);
  return (central ?? same ?? likely[0])?.charset ?? guessed.charset;
}

/** Whether a text that has no bytes beyond ASCII is one in Japanese all the same (ISO 2022). */
export function isEscapedJapanese(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return JAPANESE_ESCAPES.some((escape) => bytes.includes(escape));
}

function isDamagedUtf8(head: Uint8Array): boolean {
  let [known, broken] = [0, 0];
  for (const [character] of new TextDecoder().decode(head, { stream: true }).matchAll(/[^\0-\x7f]/gu)) {
    if (character === '\ufffd') broken += 1;
    else known += 1;
  }
  return broken <= known * DAMAGED;
}

function knownCharset(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** Whole lines that have bytes beyond ASCII; of a text in one line its beginning. */
function linesBeyondAscii(head: Uint8Array, most: number): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < head.length && size < most;) {
    const found = head.indexOf(LINE_BREAK, start);
    const end = found < 0 ? head.length : found + 1;
    const line = head.subarray(start, Math.min(end, start + most - size));
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}
