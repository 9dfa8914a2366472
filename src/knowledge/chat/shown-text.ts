import { decodeHTML } from 'entities';

/** Tags of HTML, whose attributes may have whatever a tag ends with; and what else a reader of HTML takes for one. */
const TAG = /<[a-z/!?](?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;
const LOOSE_TAG = /<[a-z/!?][^>]*>/gi;
/** What pictures are called. */
const ALTERNATIVE = /!\[[^[\]]*\]/g;
/** Where a link of Markdown goes, and its title. */
const DESTINATION =
  /\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\)))?\s*\)/gs;
/** What something may begin with that a reader does not see, in any client: HTML, pictures, links, references. */
const HIDING = /<[a-z/!?]|!\[|\](?:[(:]|\s?\[)/i;
/** What it ends with. */
const ENDS = ['>', ')', ']'];
const OPEN_REFERENCE = /&[#a-z\d]*$/i;
const WHITE_SPACE = /\s+/g;
/** What nobody sees, or what only says how something looks. */
const INVISIBLE = /[\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * What a reader may see of a text that a client takes for Markdown or HTML, without combining marks. It is a reading beside
 * others, not in their place: what looks like a tag may be none, and clients differ. For texts of bounded length, since it
 * may take time that grows with their square.
 */
export function shownText(text: string): string {
  const visible = withoutComments(text)
    .replaceAll(TAG, '')
    .replaceAll(LOOSE_TAG, '')
    .replaceAll(DESTINATION, ']')
    .replaceAll(ALTERNATIVE, '');
  return readable(visible);
}

/** The same where nothing is hidden. */
export function writtenText(text: string): string {
  return readable(text);
}

/** What a reader is certain to see: what nothing hides, by whatever rules; undefined where that is all of it. */
export function certainText(text: string): string | undefined {
  const start = text.search(HIDING);
  const end = Math.max(...ENDS.map((sign) => text.lastIndexOf(sign)));
  return start < 0 || end <= start ? undefined : readable(`${text.slice(0, start)} ${text.slice(end + 1)}`);
}

/** What a reader is certain to see of a text that goes on. */
export function shownBeginning(text: string): string {
  const start = text.search(HIDING);
  return readable((start < 0 ? text : text.slice(0, start)).replace(OPEN_REFERENCE, ''));
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
