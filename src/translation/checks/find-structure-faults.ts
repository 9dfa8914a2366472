import type { ComparedTexts } from './compared-texts.js';
import type { TranslationFault } from './translation-fault.js';

const BLANK_LINE = /\n[^\S\n]*\n/;
const LIST_ITEM = /^[^\S\n]{0,20}(?:[-*•‣◦–]|\(?\p{N}{1,3}[.)])[^\S\n]/gmu;

/** What placeholders have whose notation is not known. */
const BRACES = [/\{/g, /\}/g];
/** A letter that a key chooses (`&File`, `E&xit`), and none of a name such as `R&D`. */
const ACCELERATOR = /(?<!\p{L}(?=&\p{Lu}))&(?=[\p{L}\p{N}])/gu;
/** What strings of programs write for controls. */
const CONTROLS = /\t|\\[nrt]/g;
const PERCENT = /(?<![\p{L}\p{N}%])%[a-zA-Z]/gu;

/**
 * Finds paragraphs and items of lists that are skipped or added, more lines than one where the source has one, braces, tabs,
 * escapes and accelerators that are left out or added, and percent signs before letters that are left out.
 */
export function findStructureFaults({ source, answer }: ComparedTexts): TranslationFault[] {
  const counts: readonly [string, number, number][] = [
    ['paragraphs', paragraphsIn(source), paragraphsIn(answer)],
    ['items of lists', itemsIn(source), itemsIn(answer)],
  ];
  if (!source.includes('\n') && answer.includes('\n')) {
    return [{ code: 'structure_changed', message: 'The source is one line: write the translation on one line.' }];
  }
  const isBraceChanged = BRACES.some((brace) => countOf(answer, brace) !== countOf(source, brace));
  if (isBraceChanged || countOf(answer, PERCENT) < countOf(source, PERCENT)) {
    const message =
      'A brace, or a percent sign before a letter, may be a placeholder: write all of them as the source does, and no others.';
    return [{ code: 'structure_changed', message }];
  }
  if (countOf(answer, ACCELERATOR) !== countOf(source, ACCELERATOR)) {
    const message =
      'A sign & before a letter chooses a key: write as many as the source has, each before a letter or as (&X).';
    return [{ code: 'structure_changed', message }];
  }
  if (countOf(answer, CONTROLS) !== countOf(source, CONTROLS)) {
    const message = 'Write as many tabs, and as many \\n, \\t and \\r, as the source has.';
    return [{ code: 'structure_changed', message }];
  }
  return counts.flatMap(([what, wanted, found]) => {
    // One more or less of what is there at most once is a matter of layout.
    if (wanted === found || Math.max(wanted, found) < 2) return [];
    return [{ code: 'structure_changed', message: `The source has ${wanted} ${what}, the translation has ${found}.` }];
  });
}

function paragraphsIn(text: string): number {
  return text.split(BLANK_LINE).filter((paragraph) => paragraph.trim() !== '').length;
}

function itemsIn(text: string): number {
  return countOf(text, LIST_ITEM);
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
