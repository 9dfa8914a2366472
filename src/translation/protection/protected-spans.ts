import type { TextSpan } from '../../platform/text/text-span.js';
import type { MarkerNotation } from './marker-notation.js';
import { PRINTF_INDEX, PRINTF_SIZE } from './printf-size.js';

/** A part of a text that must come back as it is; `tag` where it is markup that may begin or end a pair. */
export interface ProtectedSpan extends TextSpan {
  readonly tag?: { readonly name: string; readonly isEnd: boolean };
  /** Whether it is a number, which may be written in another way in another language. */
  readonly isNumber: boolean;
}

const UNITS =
  'kg g mg µg μg lb lbs oz km dm cm mm µm μm nm m mi yd ft km² m² cm² ha m³ cm³ km/h m/s mph l L ml mL cl dl hl gal °C °F ° K ' +
  'W kW MW GW Wh kWh MWh V kV mV A mA mAh Ah Hz kHz MHz GHz B kB KB MB GB TB PB KiB MiB GiB TiB kbit Mbit Gbit ' +
  'kbit/s Mbit/s Gbit/s kbps Mbps Gbps MB/s GB/s Pa hPa kPa MPa bar mbar psi N Nm J kJ kcal cal dB px pt em rem dpi fps ' +
  'ns µs μs ms s min h % ‰ € $ £ ¥ ₹ ₽ ₩ ₺ EUR USD GBP CHF JPY CNY SEK NOK DKK PLN CZK Ω kΩ lm lx cd mol kPa';
const UNIT = UNITS.split(' ')
  .sort((a, b) => b.length - a.length)
  .map((unit) => unit.replaceAll(/[$/]/g, String.raw`\$&`))
  .join('|');
const NUMBER = String.raw`\d{1,20}(?:[.,'’\u00a0\u202f]\d{1,20}){0,6}`;
const SPACE = String.raw`[ \u00a0\u202f]?`;
/** `1990s` and `90s` are no seconds. */
const DECADE = String.raw`\d{0,3}0s(?![\p{L}\p{N}%])`;
/** What no address has: white space, quotes, and punctuation of Chinese and Japanese. */
const IN_URL = String.raw`[^\s<>"\u0060|\\^\u3000-\u303f\uff00-\uffef⟦⟧«»“”]`;

/** Ends of names of servers that are no words behind a full stop without a space. */
export const TOP_LEVEL =
  'com|org|net|edu|gov|mil|int|info|biz|io|dev|app|ai|eu|uk|fr|de|nl|pl|cz|jp|cn|kr|br|ru|ua|ch|cc|top|zip|click|link|icu|tk|vip|club|cloud|online|site|xyz|shop|tech|pw|su|рф|example|invalid';
const LABELS = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,6}`;
const WORD_START = String.raw`(?<![\p{L}\p{N}_@$:./\\-])`;
/** What a browser goes to all the same: a scheme without slashes, slashes without a scheme, and those of Windows. */
const BARE_URL = String.raw`(?:[hH][tT]{2}[pP][sS]?|[fF][tT][pP][sS]?|wss?|file):[\\/]{0,3}(?=[\p{L}\p{N}])${IN_URL}{1,2000}|(?<![\p{L}\p{N}:/\\])(?:\/\/|\\{2})${LABELS}[a-zA-Z]{2,24}(?:[/\\:?#](?:${IN_URL}|\\){0,2000})?`;

/**
 * Each alternative ends within a bound, and those that begin with letters or digits do so at the beginning of a word only,
 * so that the search takes time in proportion to the text.
 */
const ALTERNATIVES = [
  // What the sanitizer puts in the place of what it has found.
  String.raw`\[(?:EMAIL|PHONE|CREDIT_CARD|IBAN|IP|PERSON_ID|REGEX|WORDS)\]`,
  // Its pseudonyms, comments, and tags of templates.
  String.raw`<[A-Z][A-Z_]{0,30}_\d{1,9}>|<!--[^<>]{0,2000}-->|<[%?][^<>]{0,1000}[%?]>`,
  String.raw`<(?<end>/?)(?<name>[a-zA-Z][\w:-]{0,60})(?<rest>(?=[\s/>])[^<>]{0,4000})>`,
  String.raw`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});`,
  String.raw`(?<![\p{L}\p{N}])(?<url>(?:[a-zA-Z][a-zA-Z\d+.-]{1,30}:\/\/|www\.|(?:javascript|vbscript):|data:[\w+./-]{0,100}[;,])${IN_URL}{1,2000}|(?:mailto|tel|sms|urn|magnet|xmpp|sip):[\w.+@%?=&:-]{1,200}|${BARE_URL})`,
  String.raw`(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])`,
  String.raw`(?<![\w.+%-])[\w.+%-]{1,64}@localhost(?![\p{L}\p{N}])`,
  // Names of servers without a scheme, and code between grave accents, which are also quotes that end with another sign.
  String.raw`${WORD_START}(?<host>${LABELS}(?:[a-zA-Z]{2,24}(?::\d{2,5})?\/(?:${IN_URL}{1,2000})?|(?:${TOP_LEVEL})(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])(?::\d{2,5})?))`,
  String.raw`(?<!\u0060)\u0060(?!\s)[^\u0060'\n]{1,200}(?<!\s)\u0060(?!\u0060)`,
  // Placeholders of templates and of messages.
  String.raw`\{\{\{[^{}]{1,200}\}\}\}|\{\{[^{}]{1,200}\}\}|\{%[^{}]{1,300}%\}|\{#\s[^{}]{1,300}\s#\}|[$#%]\{[^{}]{1,200}\}`,
  String.raw`<\/?[#@][a-zA-Z][^<>]{0,500}>|\*\|[A-Za-z_][\w:.]{0,60}\|\*`,
  String.raw`\{\s{0,3}[\p{L}\p{N}_$@][\p{L}\p{N}_$.:[\]-]{0,99}\s{0,3}(?:,[^{}]{0,200})?\}`,
  // With a conversion, a format, a filter, a call or a key, as Python, C# and templates have; `{Note: this}` is prose.
  String.raw`\{[\p{L}\p{N}_$@][\p{L}\p{N}_$.[\]-]{0,99}(?:![a-z](?=[:}])|\?(?=[.[])|(?=:[^\s{}]|: [<>=^]\d|\||\([)\d'"])|(?<=\[)(?=['"]))[^{}\n]{0,200}\}`,
  // Beginnings and ends of sections, and variables of addresses: no prose has such a sign between a brace and a letter.
  String.raw`\{[#/^?&+][\p{L}_][^{}\n]{0,200}\}`,
  // Terms, functions, variables and literals of Fluent and of MessageFormat 2.
  String.raw`\{\s{0,3}(?:-[a-z][\w-]{0,60}|[A-Z][A-Z\d_-]{1,40}\([^{}()]{0,200}\)|(?:[$.][A-Za-z_][\w.-]{0,60}|\|[^{}|]{0,100}\|)(?:\s{1,3}:[a-z][^{}\n]{0,200})?)\s{0,3}\}`,
  // Without a name, as Python, Rust and loggers have them.
  String.raw`\{(?::[^{}\s]{0,30})?\}`,
  // Of i18next, Make, Swift and vue-i18n.
  String.raw`\$t\((?:[^()]|\([^()]{0,100}\)){1,200}\)|\$\([A-Za-z_][\w.-]{0,60}\)|\\\([\p{L}_][\p{L}\p{N}_.?!]{0,99}(?:,[^()]{0,100})?\)`,
  String.raw`(?<![\w.])@(?:\.[a-z]{1,20})?:(?:\([\w.-]{1,100}\)|[A-Za-z_][\w-]{0,60}(?:\.[\w-]{1,60}){0,8})`,
  // Of lists of plurals of Apple, of messages of Windows, and of mails.
  String.raw`%(?:\d{1,2}\$)?#@[\w.]{1,64}@|%arg(?![\p{L}\p{N}])|%\d{1,2}![^!\s]{1,10}!|%%[A-Za-z_][\w.]{0,60}%%`,
  String.raw`%(?:\([\w. -]{1,64}\)|<\w{1,64}>)[#0+(,-]{0,5}\d{0,4}(?:\.\d{1,4})?[a-zA-Z]`,
  // A percent sign of printf, behind a number too, which is no placeholder of another kind.
  String.raw`%%|(?<!\d)%[A-Za-z_][\w.]{1,40}%`,
  String.raw`(?<![\d%])(?!%(?:ig|-[a-z]{2}))%(?:\d{1,2}\$|<)?${PRINTF_SIZE}${PRINTF_INDEX}(?:[sdiu@]|(?:[a-zA-Z]|[tT][a-zA-Z])(?![\p{L}\p{N}]))`,
  String.raw`(?<placed>(?<![\d%])%L?\d{1,2}(?![\d$%.,]))`,
  String.raw`${WORD_START}(?:\$[A-Za-z_]\w{0,40}\$?|@[A-Za-z_][\w-]{1,40}(?:\/[\w-]{1,60})?|(?<![%€£°”’]):[a-z_][A-Za-z\d_]{1,40}:?)(?![\p{L}\p{N}])`,
  String.raw`(?<number>(?<![\p{L}\p{N}.,])(?!${DECADE})(?:[-+−±]?${NUMBER}${SPACE}(?:${UNIT})(?![\p{L}\p{N}%])|[€$£¥₹]${SPACE}${NUMBER}))`,
];

/** Behind an address, and no part of it. */
const AFTER_URL = /[.,;:!?'"’)\]}*]+$/;
const AFTER_LOOKED_AT = 64;

/** A character that what is found begins with, or has near its beginning. */
const HINT = /[<{%&@$#\d€£¥₹⟦〚【〖［[~\u0060]|\\\(|\*\||:[\w/\\]|\.[A-Za-zр]/;

const searches = new WeakMap<MarkerNotation, RegExp>();

/** Whether a text may have any of what must come back as it is; most have none. */
export function mayHaveProtectedSpans(text: string): boolean {
  return HINT.test(text);
}

/** Finds what must come back as it is, in order and without overlaps, in time in proportion to the text. */
export function* findProtectedSpans(text: string, notation: MarkerNotation): Generator<ProtectedSpan> {
  if (!mayHaveProtectedSpans(text)) return;
  for (const found of text.matchAll(searchFor(notation))) {
    const start = found.index;
    const [whole] = found;
    const { name, end: slash = '', rest = '', url, host, number, placed } = found.groups ?? {};
    const tail =
      url === undefined && host === undefined ? '' : (AFTER_URL.exec(whole.slice(-AFTER_LOOKED_AT))?.[0] ?? '');
    const end = start + whole.length - withoutClosed(whole, tail).length;
    const isNumber = number !== undefined || placed !== undefined;
    if (name === undefined || rest.endsWith('/')) yield { start, end, isNumber };
    else yield { start, end, isNumber, tag: { name: name.toLowerCase(), isEnd: slash !== '' } };
  }
}

function searchFor(notation: MarkerNotation): RegExp {
  let search = searches.get(notation);
  if (!search) {
    const lookalikes = notation.lookalikes ? [notation.lookalikes.source] : [];
    search = new RegExp([...lookalikes, ...ALTERNATIVES].join('|'), 'gu');
    searches.set(notation, search);
  }
  return search;
}

/** A bracket at the end of an address is part of it where the address opened it. */
function withoutClosed(url: string, tail: string): string {
  const opened = { ')': '(', ']': '[', '}': '{' }[tail.charAt(0)];
  return opened !== undefined && url.slice(0, -tail.length).includes(opened) ? tail.slice(1) : tail;
}
