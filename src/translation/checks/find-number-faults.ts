import type { ComparedTexts } from './compared-texts.js';
import { numbersIn } from './numbers-in.js';
import type { NumberReading, TextNumber } from './numbers-in.js';
import type { TranslationFault } from './translation-fault.js';
import { WrittenNumbers } from './written-numbers.js';

/** How many numbers a sentence names. */
const MOST_NAMED = 20;
const DIGIT = /[\p{Nd}½¼¾]/u;
const FRACTION = /[½¼¾]/;
const HALF_DAY = /\d\s?[ap]\.?\s?m\b/i;
/** Among so many it is looked for. */
const MOST_MIXED = 50;
const MIXED = /^(\d{1,4})(\.(?:5|25|75))$/;

/**
 * Finds numbers that are lost, added or changed. What a number says is read as its language writes it: `1,000.5` of
 * English, `1.000,5` of German and `1 000,5` of French are equal, digits of any script too, `3 pm` and `15`, `2 million`
 * and `2 000 000`, `½` and `0.5`, and a number and its word, which stands for one number only.
 * Of numbers that are markers only what stands beside them is compared, as in `$5 million`.
 */
export function findNumberFaults({ withNumbers: { source, answer }, languages }: ComparedTexts): TranslationFault[] {
  if (!DIGIT.test(source) && !DIGIT.test(answer)) return [];
  const both = {
    hasFractions: FRACTION.test(source) || FRACTION.test(answer),
    hasHalfDays: HALF_DAY.test(source) || HALF_DAY.test(answer),
  };
  const before = numbersIn(source, readingOf(languages.source, languages.target, both));
  const after = numbersIn(answer, readingOf(languages.target, languages.source, both));
  const { missing, added } = compare(before, after);
  if (missing.length + added.length === 0) return [];
  const [inAnswer, inSource] = [
    new WrittenNumbers(answer, languages.target?.language),
    new WrittenNumbers(source, languages.source?.language),
  ];
  const used = new Set<TextNumber>();
  const lost = missing.filter(
    (number) => !inAnswer.take(number, added.length) && !takeMixed(number, added, inAnswer, used),
  );
  const extra = added.filter(
    (number) =>
      !used.has(number) && !inSource.take(number, missing.length) && !takeMixed(number, missing, inSource, used),
  );
  const unmatched = lost.filter((number) => !used.has(number));
  if (unmatched.length + extra.length === 0) return [];
  const sentences = [
    ...(unmatched.length === 0 ? [] : [`The numbers ${nameThem(unmatched)} of the source are not in the translation.`]),
    ...(extra.length === 0 ? [] : [`The numbers ${nameThem(extra)} of the translation are not in the source.`]),
  ];
  return [{ code: 'numbers_changed', message: `${sentences.join(' ')} Numbers must stay what they are.` }];
}

function readingOf(
  language: NumberReading['language'],
  otherLanguage: NumberReading['language'],
  both: Pick<NumberReading, 'hasFractions' | 'hasHalfDays'>,
): NumberReading {
  return { language, otherLanguage, ...both };
}

/** Whether a number such as `1½` is in the other text in two parts, as `1 taza y media`. */
function takeMixed(
  { written, readings }: TextNumber,
  others: readonly TextNumber[],
  text: WrittenNumbers,
  used: Set<TextNumber>,
): boolean {
  return readings.some((reading) => {
    const [, whole, part = ''] = MIXED.exec(reading) ?? [];
    if (whole === undefined || others.length > MOST_MIXED) return false;
    const isWritten = (value: string): boolean => text.take({ written, readings: [value], isOfDate: false }, 1);
    if (!isWritten(`0${part}`)) return false;
    const number = others.find((other) => !used.has(other) && other.readings.includes(whole));
    if (number) used.add(number);
    return number !== undefined || isWritten(whole);
  });
}

function nameThem(numbers: readonly TextNumber[]): string {
  return numbers
    .slice(0, MOST_NAMED)
    .map(({ written }) => written)
    .join(', ');
}

/** Each number of one text goes with one of the other; those that can be read in one way only choose first. */
function compare(
  before: readonly TextNumber[],
  after: readonly TextNumber[],
): { missing: TextNumber[]; added: TextNumber[] } {
  const byReading = new Map<string, number[]>();
  // From the end, so that the first of equal ones is taken first.
  for (let index = after.length - 1; index >= 0; index -= 1) {
    for (const reading of after[index]?.readings ?? []) {
      const places = byReading.get(reading);
      if (places) places.push(index);
      else byReading.set(reading, [index]);
    }
  }
  const used = new Set<number>();
  const take = (number: TextNumber): boolean =>
    number.readings.some((reading) => {
      const places = byReading.get(reading) ?? [];
      for (let place = places.pop(); place !== undefined; place = places.pop()) {
        if (used.has(place)) continue;
        used.add(place);
        return true;
      }
      return false;
    });
  const missing = [...before].sort((a, b) => a.readings.length - b.readings.length).filter((number) => !take(number));
  return { missing, added: after.filter((_, index) => !used.has(index)) };
}
