import { Node, parseHTML } from 'linkedom';
import { BlockText } from './block-text.js';
import { ELEMENT, TEXT } from './dom.types.js';
import type { DomDocument, DomElement, DomNode } from './dom.types.js';
import { BLOCKS, INVISIBLE } from './elements.js';
import { HiddenRules } from './hidden-rules.js';
import { isHiddenBy } from './hidden-style.js';
import { quotesByConvention } from './quoting.js';
import { PAGE_LIMITS } from './web-page.types.js';

/** What a page has around its content, in whatever order and however often. */
const FRAME = /<(?:!doctype|\/?(?:html|head|body))(?![\w-])[^<>]*>/gi;

/** The attribute of what lies within a quotation. A page that has it itself says no more than that it quotes. */
const QUOTED = 'data-quoted';
/** Its value at what stands for a text: Readability takes some out of elements that say it. */
const QUOTED_TEXT = 'text';

// linkedom keeps a map of listeners for each node, held weakly: a tenth of the time of a page. Nobody listens here.
Object.setPrototypeOf((Node as unknown as { prototype: object }).prototype.constructor, class {});

/** The tree of a page. Its frame is made anew: without a body, or with two, there would be none that can be used. */
export function parsePage(html: string): DomDocument {
  const framed = `<!doctype html><html><head></head><body>${html.replace(FRAME, '')}</body></html>`;
  return (parseHTML(framed) as unknown as { document: DomDocument }).document;
}

/** Removes from a page what nobody sees. */
export function removeInvisible(document: DomDocument): void {
  const rules = new HiddenRules();
  for (const style of document.querySelectorAll('style')) rules.read(style.textContent ?? '');
  for (const element of document.querySelectorAll('body *')) {
    const isHidden =
      INVISIBLE.has(element.localName) ||
      isHiddenBy((name) => element.getAttribute(name)) ||
      rules.hides(element.getAttribute('class'), element.getAttribute('id'));
    if (isHidden) element.remove();
  }
}

/**
 * Marks what lies within quotations: whoever takes a part out of the page, or makes another element of one, takes along
 * that it is quoted.
 */
export function markQuoted(document: DomDocument): void {
  const marked = new Set<DomElement>();
  for (const quotation of document.querySelectorAll('blockquote, q, [role], [class]')) {
    // Within another one all is marked already.
    if (marked.has(quotation) || !isQuotation(quotation)) continue;
    for (const element of [quotation, ...quotation.querySelectorAll('*')]) {
      element.setAttribute(QUOTED, '');
      marked.add(element);
      if (quotation.localName !== 'q' && BLOCKS.has(element.localName)) markTexts(document, element);
    }
  }
}

/** Marks the texts that lie in an element itself. */
function markTexts(document: DomDocument, element: DomElement): void {
  const children = [...element.childNodes];
  for (const child of children) {
    if (child.nodeType !== TEXT || child.nodeValue?.trim() === '') continue;
    const mark = document.createElement('span');
    mark.setAttribute(QUOTED, QUOTED_TEXT);
    element.replaceChild(mark, child);
    mark.appendChild(child);
  }
}

function isQuotation(element: DomElement): boolean {
  const { localName } = element;
  return localName === 'blockquote' || localName === 'q' || quotesByConvention((name) => element.getAttribute(name));
}

/** Makes the links and pictures of a page absolute; those that lead to nothing on the web are links no more. */
export function resolveUrls(document: DomDocument, base: string): void {
  for (const [selector, name] of [
    ['a', 'href'],
    ['img', 'src'],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const given = element.getAttribute(name);
      if (given === null) continue;
      const url = webUrl(given, base);
      if (url === undefined) element.removeAttribute(name);
      else element.setAttribute(name, url);
    }
  }
  for (const image of document.querySelectorAll('img[srcset]')) image.removeAttribute('srcset');
}

/** The base of the links of a page: what it says, or its own URL. */
export function baseOf(document: DomDocument, url: string): string {
  const given = document.querySelector('base[href]')?.getAttribute('href');
  return (given && webUrl(given, url)) || url;
}

/** The text of a part of a page, in blocks. */
export function textOf(root: DomNode): string {
  const text = new BlockText();
  addTo(text, root);
  return text.toString();
}

/** An absolute URL of http or https; undefined where it is none. */
function webUrl(given: string, base: string): string | undefined {
  const url = given.length > PAGE_LIMITS.urlCharacters ? null : URL.parse(given, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** Elements are no deeper in one another than was measured. */
function addTo(text: BlockText, node: DomNode): void {
  for (let child = node.firstChild; child && !text.isFull; child = child.nextSibling) {
    if (child.nodeType === TEXT) text.add(child.nodeValue ?? '');
    else if (child.nodeType === ELEMENT) addElement(text, child as DomElement);
  }
}

function addElement(text: BlockText, element: DomElement): void {
  // Readability makes elements whose names are in capitals.
  const name = element.localName.toLowerCase();
  if (INVISIBLE.has(name)) return;
  const isQuoted = BLOCKS.has(name) && element.hasAttribute(QUOTED);
  if (isQuoted) text.quote(true);
  else if (element.getAttribute(QUOTED) === QUOTED_TEXT) text.quoteBlock();
  if (name === 'pre') text.preformat(true);
  else if (name === 'blockquote') text.quote(true);
  else if (name === 'q') text.add('“');
  else if (BLOCKS.has(name)) text.break();
  addTo(text, element);
  if (name === 'pre') text.preformat(false);
  else if (name === 'blockquote') text.quote(false);
  else if (name === 'q') text.add('”');
  else if (BLOCKS.has(name)) text.break();
  else if (name === 'td' || name === 'th') text.add(' | ');
  if (isQuoted) text.quote(false);
}
