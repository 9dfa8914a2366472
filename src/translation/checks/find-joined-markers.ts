import type { MarkedToken } from '../protection/marker-notation.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { markerText } from './marker-text.js';
import { MINUS_WORD_BEFORE } from './minus-words.js';
import type { TranslationFault } from './translation-fault.js';

/** What stands for a marker that is a number, with its unit or currency. */
export const MARKED_NUMBER = /^(?:[-+−±]?\d|[€$£¥₹])/u;

/** So much of a neighbour is looked at, in UTF-16 units. */
const LOOKED_AT = 60;

/** What must not stand right before and behind a marker of a kind, unless it does in the source. */
interface Joints {
  readonly is: RegExp;
  readonly before: RegExp;
  readonly behind: RegExp;
  /** What in the source allows what may not stand before it, or behind it, but for the same. */
  readonly allowedBy?: { readonly before?: RegExp; readonly behind?: RegExp };
}

/** Chinese and Japanese words stand right beside what is none, others do not; the signs of times and by are no letters. */
const SPACED = 'A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u04ff';
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const SIGNED = String.raw`(?:^|[^\p{L}\p{N}])[-−–+±]$`;
/** Powers, and what is divided by a length, a volume or a weight; by a time it may be the same in other words: `5 kg a day`. */
const OTHER_UNIT = /^(?:[²³‰%]|\/(?:[cdk]?m[²³]?|[cm]?l|k?g)(?!\p{L}))/u;
/** The beginning of a decimal number, a power, and a zero. */
const OTHER_NUMBER = String.raw`(?:^|[\s([])[.,]$|[²³〇零]$`;
const PLACEHOLDER_BEFORE = /[%{$\\<]$/;
/** A name without an end goes on with letters, members and calls. */
const NAME_BEHIND = new RegExp(String.raw`^(?:[${SPACED}\d_]|[[(}$]|->|\.[A-Za-z_])`, 'u');
/** All that IDNA takes for a full stop. Chinese goes on behind its own, so that only a name of ASCII is taken for a host. */
const IDEOGRAPHIC_HOST = String.raw`[\p{L}\p{N}_-]{0,40}[。．｡](?:[\d-]{0,20}[a-z]|[A-Za-z\d-]{1,63}[.。．｡][A-Za-z])`;
/** Behind an apostrophe there may be a suffix, and between brackets a remark, but neither with a host or path in it. */
const ENCLOSED_HOST = String.raw`[('’[{][^\s'’]{1,60}[.。．｡/:@\\][\p{L}\p{N}]`;
const ADDRESS_BEHIND = new RegExp(
  String.raw`^(?:[A-Za-z\d_]|[\p{L}\p{N}_-]{0,40}[.:/@\\?&=#%~,;!*+\p{M}\p{Cf}]+[\p{L}\p{N}_-]|${IDEOGRAPHIC_HOST}|${ENCLOSED_HOST})`,
  'u',
);
const KINDS: readonly Joints[] = [
  { is: /^\$[\p{L}_][^()]*$/u, before: PLACEHOLDER_BEFORE, behind: NAME_BEHIND },
  // A word before them makes an address or another name of these.
  {
    is: /^[:@#][\p{L}_][^:]*$/u,
    before: new RegExp(String.raw`[${SPACED}\d_%{$\\<:@#]$`, 'u'),
    behind: NAME_BEHIND,
  },
  // One of printf has no end either; a size may stand right behind it.
  {
    is: /^%(?![({%]|.+%$)/,
    before: PLACEHOLDER_BEFORE,
    behind: new RegExp(String.raw`(?!^[kKMGT]?i?B(?!\p{L}))${NAME_BEHIND.source}`, 'u'),
    allowedBy: { behind: /^\p{L}/u },
  },
  // `%` before `%s`, or a brace around `{name}`, makes another placeholder of it, or none.
  { is: /^(?:[%{]|[:#$](?!\s?\d))/, before: PLACEHOLDER_BEFORE, behind: /^[}$(]/ },
  // A number with a sign, a word or a power beside it is another number; a currency may have that of its country before it.
  {
    is: /^[-+−±]?\d/u,
    before: new RegExp(String.raw`${SIGNED}|${OTHER_NUMBER}|[${SPACED}\d]$`, 'u'),
    behind: OTHER_UNIT,
    allowedBy: { before: MINUS_WORD_BEFORE },
  },
  {
    is: MARKED_NUMBER,
    before: new RegExp(String.raw`${SIGNED}|${OTHER_NUMBER}|[\p{Ll}\d]$`, 'u'),
    behind: OTHER_UNIT,
    allowedBy: { before: MINUS_WORD_BEFORE },
  },
  {
    is: /^[\w.+%-]+@/,
    before: new RegExp(String.raw`(?![${UNSPACED}])[\p{L}\p{M}\p{N}]$|[_.%+@/\\!#&=?|~]$|[A-Za-z\d]-$`, 'u'),
    behind: ADDRESS_BEHIND,
  },
  // An address that goes on is another one: `bank.example` and `.evil.example` behind it. Suffixes of words may be there.
  {
    is: /^[^<&`#](?:\S*@|\S*\.\p{L}{2}|[a-z\d+.-]*:)/iu,
    before: new RegExp(String.raw`[${SPACED}\d_.%+@/\\]$|[A-Za-z\d]-$`, 'u'),
    behind: ADDRESS_BEHIND,
  },
];

/** Finds what an engine has joined to a marker so that what stands for it means something else. */
export function findJoinedMarkers(unit: ProtectedUnit, answer: readonly MarkedToken[]): TranslationFault[] {
  const before = neighboursIn(unit, unit.tokens);
  for (const [number, neighbours] of neighboursIn(unit, answer)) {
    const marker = unit.markers.get(number);
    if (marker?.kind !== 'single' || marker.content.kind !== 'text') continue;
    const { text } = marker.content;
    const joints = KINDS.find(({ is }) => is.test(text));
    const own = before.get(number);
    if (!joints || !own) continue;
    const { before: atStart, behind: atEnd, allowedBy = {} } = joints;
    const isJoined =
      (text.startsWith('{') && isQuoted(neighbours) && !isQuoted(own)) ||
      (atStart.test(neighbours.before) && !atStart.test(own.before) && !allowedBy.before?.test(own.before)) ||
      (atEnd.test(neighbours.behind) && !atEnd.test(own.behind) && !allowedBy.behind?.test(own.behind));
    if (!isJoined) continue;
    const name = unit.notation.write('single', number);
    const message = `There is something right beside the marker ${name} that makes another address, number or placeholder of it: put a space between them, or leave it out.`;
    return [{ code: 'markup_added', message }];
  }
  return [];
}

interface Neighbours {
  readonly before: string;
  readonly behind: string;
}

/** In messages of ICU a placeholder is a text behind an apostrophe; one behind a letter may be an elision. */
function isQuoted({ before, behind }: Neighbours): boolean {
  return /(?:^|[^\p{L}])'$/u.test(before) || (before.endsWith("'") && behind.startsWith("'"));
}

/** What stands right beside each marker that stands alone; the sides of pairs are not seen. */
function neighboursIn(unit: ProtectedUnit, tokens: readonly MarkedToken[]): Map<number, Neighbours> {
  const neighbours = new Map<number, Neighbours>();
  const shown = tokens.filter(({ kind }) => kind === 'text' || kind === 'single');
  for (const [index, token] of shown.entries()) {
    if (token.kind !== 'single') continue;
    const [before, behind] = [textOf(unit, shown[index - 1]), textOf(unit, shown[index + 1])];
    neighbours.set(token.number, { before: before.slice(-LOOKED_AT), behind: behind.slice(0, LOOKED_AT) });
  }
  return neighbours;
}

/** What is read of a token: of a marker what stands for it. */
function textOf(unit: ProtectedUnit, token: MarkedToken | undefined): string {
  return token?.kind === 'text' ? token.text : (markerText(unit, token) ?? '');
}
