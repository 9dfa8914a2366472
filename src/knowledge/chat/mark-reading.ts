import { CLOSING_BRACKETS, OPENING_BRACKETS } from './square-brackets.js';
import { certainText, shownBeginning, shownText, writtenText } from './shown-text.js';

/** Words of a mark, in the languages that models mostly write; with any other one a bracket says something, see below. */
const WORDS = (
  'passage passages source sources document documents doc docs ref refs reference references citation citations cite ' +
  'cited cites cit excerpt excerpts section sections chunk chunks footnote footnotes fn note notes page pages p pp no nr ' +
  'n id item from see cf and or to through st nd rd th snippet snippets paragraph paragraphs context contexts file files ' +
  'extract extracts quote quotes result results article chapter part line lines ' +
  'dokument dokumente abschnitt abschnitte quelle quellen beleg belege zitat fussnote fußnote auszug seite seiten s textstelle ' +
  'siehe vgl und oder bis ' +
  'seite source extrait extraits passage citation référence références renvoi voir cf et ou à ' +
  'fuente fuentes documento documentos fragmento fragmentos pasaje cita citas referencia referencias sección página véase ver ' +
  'y e o a ' +
  'fonte fonti documenti brano passaggio citazione riferimento riferimenti sezione nota pagina vedi ed al ' +
  'bron bronnen documenten fragment fragmenten passages verwijzing citaat sectie voetnoot zie en of tot ' +
  'fontes trecho trechos passagem citação referência seção secção nota veja ou até ' +
  'källa källor kilde kilder kildene sida side avsnitt lähde sivu źródło źródła strona str zdroj zdroje strana kaynak sayfa ' +
  'источник источники источника документ документы страница стр см раздел фрагмент цитата ссылка сноска и или ' +
  'джерело джерела сторінка πηγή πηγές σελίδα المصدر مصدر صفحة מקור עמוד स्रोत पृष्ठ nguồn trang sumber halaman ' +
  'ソース ページ と から または 및 출처 참고 문서 페이지 번 자료'
).split(' ');
/** What Chinese and Japanese words of a mark are made of. */
const HAN_WORD = /^[出典来來源参參考照引用文献獻资資料脚腳注註见見第页頁章节節段落及和至或]+$/u;
/** Names of files: a mark of such a passage may have it. */
const TOKEN = /[\p{L}\p{N}._-]+/gu;
const FILE_NAME =
  /\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|md|markdown|txt|html?|csv|tsv|json|xml|yaml|yml|rtf|epub|eml|msg|png|jpe?g|tiff?)$/iu;
/** A word of any language is a number's own where the number follows it. */
const WORD = /\p{L}+/gu;
const LONGEST_WORD = 40;
const LABEL = /^\p{L}{3,20}$/u;
const BEFORE_NUMBER = /[ :.#]{1,4}\p{N}/uy;
const LAST_TOKEN = /(?<![\p{L}\p{N}._-])[\p{L}\p{N}._-]+$/u;
/** What most brackets can be told by. */
const MAY_HAVE_NUMBER = /[\p{N}&]/u;
const MAY_HAVE_WORD = /[\p{L}&]/u;
const NUMBER = /\p{N}/u;
const DIACRITICS = /\p{M}/gu;
const KNOWN = new Set(WORDS.map(folded));
/** Of a footnote, whatever it is called: readers see its number. */
const FOOTNOTE = '^';

/**
 * Whether what stands in a bracket makes a mark of it as a reader sees it: a number, and nothing beside it but signs, names
 * of files and the words of a mark, or one that is the number's own; or a footnote.
 * @param inside of bounded length
 * @param isCode whether nothing there is a footnote
 */
export function isMark(inside: string, isCode: boolean): boolean {
  if (!isCode && inside.startsWith(FOOTNOTE)) return true;
  if (!MAY_HAVE_NUMBER.test(inside)) return false;
  const shown = shownText(inside);
  return NUMBER.test(shown) && isBalanced(shown) && saysNothing(shown);
}

/** Whether a reader may see a mark in a bracket that hides something: where nothing speaks against it, by any reading. */
export function mayBeMark(inside: string): boolean {
  if (!MAY_HAVE_NUMBER.test(inside)) return false;
  const certain = certainText(inside);
  return certain !== undefined && NUMBER.test(writtenText(inside)) && saysNothing(certain);
}

/** Whether what stands behind an open bracket may become that of a mark; once it may not, it never may. */
export function mayBecomeMark(beginning: string, isCode: boolean): boolean {
  if (!isCode && beginning.startsWith(FOOTNOTE)) return true;
  if (!MAY_HAVE_WORD.test(beginning)) return true;
  // The last token may go on, and a number may follow.
  return saysNothing(`${shownBeginning(beginning).replace(LAST_TOKEN, '')}1`);
}

/** Whether a text has no words but those of marks, names of files, and some that a number follows. */
function saysNothing(shown: string): boolean {
  const text = shown.includes('.') ? shown.replaceAll(TOKEN, withoutFileName) : shown;
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const word = written.length > LONGEST_WORD ? '' : folded(written);
    if (KNOWN.has(word) || HAN_WORD.test(word)) continue;
    BEFORE_NUMBER.lastIndex = index + written.length;
    if (!LABEL.test(word) || !BEFORE_NUMBER.test(text)) return false;
  }
  return true;
}

function withoutFileName(token: string): string {
  return FILE_NAME.test(token) ? '' : token;
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(DIACRITICS, '').toLowerCase();
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
