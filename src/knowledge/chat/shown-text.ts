import { decodeHTML } from 'entities';

/** Tags of HTML, whose attributes may have whatever a tag ends with; and what else a reader of HTML takes for one. */
const TAG = /<[a-z/!?](?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;
const LOOSE_TAG = /<[a-z/!?][^>]*>/gi;
/** What pictures are called. */
const ALTERNATIVE = /!\[[^[\]]*\]/g;
/** Where a link of Markdown goes, and its title. */
const DESTINATION =
  /\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\)))?\s*\)/gs;
/** A line that says where links go. */
const DEFINITION = /^ {0,3}\[[^[\]\n]*\]:[ \t]*\S+(?:\s+["'(][^\n]*)?$/gm;
const OPEN_TAG = /<(?:[a-z/!?][^]*)?$/i;
const OPEN_ALTERNATIVE = /!\[[^[\]]*$/;
const OPEN_DESTINATION = /\]\([^]*$/;
const OPEN_REFERENCE = /&[#a-z\d]*$/i;
const WHITE_SPACE = /\s+/g;
/** What nobody sees, or what only says how something looks. */
const INVISIBLE = /[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * What a reader may see of a text that a client takes for Markdown or HTML, without combining marks. It is a reading beside
 * the text itself, not in its place: what looks like a tag may be none. For texts of bounded length, since it may take time
 * that grows with their square.
 */
export function shownText(text: string): string {
  return readable(withoutHidden(text));
}

/** A sentence without what is hidden in it; it may begin in a comment, and have lines that say where links go. */
export function shownSentence(sentence: string): string {
  const end = sentence.indexOf('-->');
  const begin = sentence.indexOf('<!--');
  const isInComment = end >= 0 && (begin < 0 || end < begin);
  return withoutHidden(sentence.slice(isInComment ? end + 3 : 0).replaceAll(DEFINITION, ''));
}

/** What a reader is certain to see of a text that goes on. */
export function shownBeginning(text: string): string {
  const visible = withoutComments(text)
    .replaceAll(TAG, '')
    .replace(OPEN_TAG, '')
    .replaceAll(DESTINATION, ']')
    .replace(OPEN_DESTINATION, ']')
    .replaceAll(ALTERNATIVE, '')
    .replace(OPEN_ALTERNATIVE, '')
    .replace(OPEN_REFERENCE, '');
  return readable(visible);
}

function withoutHidden(text: string): string {
  return withoutComments(text)
    .replaceAll(TAG, '')
    .replaceAll(LOOSE_TAG, '')
    .replaceAll(DESTINATION, ']')
    .replaceAll(ALTERNATIVE, '');
}

function readable(text: string): string {
  return decodeHTML(text).replaceAll(WHITE_SPACE, ' ').replaceAll(INVISIBLE, '');
}

/** Without comments of HTML; one without an end goes to that of the text. */
function withoutComments(text: string): string {
  const [before = '', ...comments] = text.split('<!--');
  const behind = comments.map((comment) => {
    const end = comment.indexOf('-->');
    return end < 0 ? '' : comment.slice(end + 3);
  });
  return before + behind.join('');
}
