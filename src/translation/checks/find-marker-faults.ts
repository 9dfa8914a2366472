import type { MarkedToken } from '../protection/marker-notation.js';
import { placeMarkers } from '../protection/place-markers.js';
import type { ProtectedUnit } from '../protection/protected-unit.js';
import { markerText } from './marker-text.js';
import { INDEXED_ARGUMENT, NEXT_ARGUMENT, SECTION } from './placeholder-kinds.js';
import type { TranslationFault, TranslationFaultCode } from './translation-fault.js';

/** How many markers a sentence names. */
const MOST_NAMED = 20;

/** Finds markers that are lost, doubled, unknown, or in another place than they may be. */
export function findMarkerFaults(unit: ProtectedUnit, answer: readonly MarkedToken[]): TranslationFault[] {
  const { isWhole, missing, repeated, unknown, misplaced, emptied } = placeMarkers(unit, answer);
  if (isWhole && emptied.length === 0) return findReordered(unit, answer);
  const name = (numbers: readonly number[]): string =>
    numbers
      .slice(0, MOST_NAMED)
      .map((number) => nameOf(unit, number))
      .join(', ');
  const faults: readonly [TranslationFaultCode, readonly number[], (names: string) => string][] = [
    ['marker_missing', missing, (names) => `The markers ${names} are missing: each must be in the translation once.`],
    [
      'marker_repeated',
      repeated,
      (names) => `The markers ${names} are repeated: each must be in the translation once.`,
    ],
    ['marker_unknown', unknown, (names) => `The markers ${names} are not in the source: leave them out.`],
    [
      'marker_misplaced',
      misplaced,
      (names) =>
        `The markers ${names} are nested in another way than in the source: pairs begin before they end and do not cross.`,
    ],
    [
      'marker_misplaced',
      emptied,
      (names) => `There is no text in ${names}: the pair holds the translation of what it holds in the source.`,
    ],
  ];
  return faults.flatMap(([code, numbers, toMessage]) =>
    numbers.length === 0 ? [] : [{ code, message: toMessage(name(numbers)) }],
  );
}

/** Finds arguments without numbers that stand in another order, each of which would be printed as what it is not, and sections. */
function findReordered(unit: ProtectedUnit, answer: readonly MarkedToken[]): TranslationFault[] {
  const [wanted, found] = [textsOf(unit, unit.tokens), textsOf(unit, answer)];
  const isNext = (text: string): boolean => NEXT_ARGUMENT.test(text);
  const isArgument = (text: string): boolean => isNext(text) || INDEXED_ARGUMENT.test(text);
  const ordered = [wanted.some(isNext) ? isArgument : isNext, (text: string) => SECTION.test(text)];
  return ordered.flatMap((isOrdered): TranslationFault[] => {
    const texts = wanted.filter(isOrdered);
    if (texts.length < 2 || texts.join(' ') === found.filter(isOrdered).join(' ')) return [];
    const names = texts.slice(0, MOST_NAMED).join(', ');
    return [{ code: 'marker_misplaced', message: `The placeholders ${names} must stand in the order of the source.` }];
  });
}

function textsOf(unit: ProtectedUnit, tokens: readonly MarkedToken[]): string[] {
  return tokens.flatMap((token) => markerText(unit, token) ?? []);
}

function nameOf({ notation, markers }: ProtectedUnit, number: number): string {
  if (markers.get(number)?.kind !== 'pair') return notation.write('single', number);
  return `${notation.write('open', number)}…${notation.write('close', number)}`;
}
