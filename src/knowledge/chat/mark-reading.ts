import { CLOSING_BRACKETS, OPENING_BRACKETS } from './square-brackets.js';
import { shownBeginning, shownText } from './shown-text.js';

/** Words of a mark, in the languages that models mostly write; with any other one a bracket says something. */
const WORDS = (
  'passage passages source sources document documents doc docs ref refs reference references citation citations cite ' +
  'cited cites cit excerpt excerpts section sections chunk chunks footnote footnotes fn note notes page pages p pp no nr ' +
  'n id item from see cf and or to through st nd rd th ' +
  'dokument dokumente abschnitt abschnitte quelle quellen beleg belege zitat fussnote fußnote auszug seite seiten s textstelle ' +
  'siehe vgl und oder bis ' +
  'seite source extrait extraits passage citation référence références renvoi voir cf et ou à ' +
  'fuente fuentes documento documentos fragmento fragmentos pasaje cita citas referencia referencias sección página véase ver ' +
  'y e o a ' +
  'fonte fonti documenti brano passaggio citazione riferimento riferimenti sezione nota pagina vedi ed al ' +
  'bron bronnen documenten fragment fragmenten passages verwijzing citaat sectie voetnoot zie en of tot ' +
  'fontes trecho trechos passagem citação referência seção secção nota veja ou até ' +
  'ソース ページ と から または 및 출처 참고'
).split(' ');
/** What Chinese and Japanese words of a mark are made of. */
const HAN_WORD = /^[出典来來源参參考照引用文献獻资資料脚腳注註见見第页頁章节節段落及和至或]+$/u;
/** What most brackets can be told by. */
const MAY_HAVE_NUMBER = /[\p{N}&]/u;
const MAY_HAVE_WORD = /[\p{L}&]/u;
const NUMBER = /\p{N}/u;
const NO_LETTERS = /\P{L}+/gu;
const DIACRITICS = /\p{M}/gu;
const KNOWN = new Set(WORDS.map(folded));
const BEGINNINGS = new Set([...KNOWN].flatMap((word) => Array.from(word, (_, at) => word.slice(0, at + 1))));

/**
 * Whether what stands in a bracket makes a mark of it as a reader sees it: a number, and nothing beside it but signs and the
 * words of a mark.
 * @param inside of bounded length
 */
export function isMark(inside: string): boolean {
  if (!MAY_HAVE_NUMBER.test(inside)) return false;
  const shown = shownText(inside);
  return NUMBER.test(shown) && isBalanced(shown) && wordsOf(shown).every(isKnown);
}

/** Whether what stands behind an open bracket may become that of a mark; once it may not, it never may. */
export function mayBecomeMark(beginning: string): boolean {
  if (!MAY_HAVE_WORD.test(beginning)) return true;
  const words = wordsOf(shownBeginning(beginning));
  const last = words.pop();
  return words.every(isKnown) && (last === undefined || isKnown(last) || BEGINNINGS.has(last));
}

function wordsOf(shown: string): string[] {
  return folded(shown.replaceAll(NO_LETTERS, ' '))
    .split(' ')
    .filter((word) => word !== '');
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(DIACRITICS, '').toLowerCase();
}

function isKnown(word: string): boolean {
  return KNOWN.has(word) || HAN_WORD.test(word);
}

/** Whether each bracket that ends in a text has begun there, and the other way round. */
function isBalanced(shown: string): boolean {
  let depth = 0;
  for (const character of shown) {
    if (OPENING_BRACKETS.includes(character)) depth += 1;
    else if (CLOSING_BRACKETS.includes(character)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
