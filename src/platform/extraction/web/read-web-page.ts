import { escapeUTF8 } from 'entities';
import { micromark } from 'micromark';
import { FileInput } from '../file-input.js';
import { charsetOf } from '../formats/text-decoding.js';
import { ArticleFinder } from './article-finder.js';
import { cleanText, cutText, lineOf } from './clean-text.js';
import type { DomDocument, DomElement } from './dom.types.js';
import { measurePage } from './measure-page.js';
import { publishedAtOf } from './page-date.js';
import { linksOf } from './page-links.js';
import { markdownOf } from './page-markdown.js';
import { baseOf, markQuoted, parsePage, removeInvisible, resolveUrls, textOf } from './page-tree.js';
import { readPlainPage } from './plain-page.js';
import { isScriptOnly, scriptSigns } from './script-shell.js';
import { PAGE_LIMITS } from './web-page.types.js';
import type { ReadPage, WebPageTask } from './web-page.types.js';

/** An article with less text, in UTF-16 units, may be a part of the page that was taken for it. */
const SHORT_ARTICLE = 200;

const NOTHING: ReadPage = {
  title: '',
  byline: null,
  text: '',
  markdown: '',
  html: null,
  language: null,
  publishedAt: null,
  links: [],
  isScriptOnly: false,
};

/** Does one task of the child: reads a page, and answers once. @throws ExtractionFailed too_large */
export async function readWebPage(
  given: unknown,
  input: AsyncIterable<Uint8Array>,
  emit: (page: ReadPage) => Promise<void>,
): Promise<void> {
  const task = given as WebPageTask;
  const bytes = await new FileInput(input, PAGE_LIMITS.bytes).whole();
  const text = new TextDecoder(charsetOf(bytes, task.kind === 'html', task.charset)).decode(bytes);
  // Both at once might be more than a frame holds.
  const page = task.kind === 'text' ? readText(text, task) : readHtml(text, task);
  await emit(task.form === 'html' ? { ...page, markdown: '', html: htmlOf(page, task) } : page);
}

/** Of a page that is text alone: its paragraphs. */
function htmlOf({ text, markdown }: ReadPage, { kind, isPlain }: WebPageTask): string {
  if (kind === 'html' && !isPlain) return micromark(markdown);
  const paragraphs = text.split(/\n[^\S\n]*\n/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map((paragraph) => `<p>${escapeUTF8(paragraph)}</p>`).join('\n');
}

function readText(given: string, { form }: WebPageTask): ReadPage {
  const text = cutText(cleanText(given), PAGE_LIMITS.characters).trim();
  return { ...NOTHING, text, markdown: form === 'text' ? '' : text };
}

function readHtml(html: string, { url, isPlain, form }: WebPageTask): ReadPage {
  const { isTooMuch, lang } = measurePage(html);
  const language = languageOf(lang);
  if (isTooMuch || isPlain) {
    const { title, text } = readPlainPage(html);
    return { ...NOTHING, title, text, markdown: form === 'text' ? '' : text, language };
  }
  const document = parsePage(html);
  const own = {
    title: lineOf(document.querySelector('title')?.textContent, PAGE_LIMITS.titleCharacters),
    byline: authorOf(document),
    publishedAt: publishedAtOf(document, Date.now()),
    language:
      language ?? languageOf(document.querySelector('meta[http-equiv="content-language" i]')?.getAttribute('content')),
  };
  const signs = scriptSigns(document);
  prepare(document, url);
  const whole = textOf(document.body);
  const links = linksOf(document, url);
  const article = articleOf(document);
  const text = article?.text ?? whole;
  const markdown = form === 'text' ? '' : markdownOf(article?.content ?? prepare(parsePage(html), url).body);
  const title = own.title || lineOf(document.querySelector('h1')?.textContent, PAGE_LIMITS.titleCharacters);
  return { ...own, title, text, markdown, html: null, links, isScriptOnly: isScriptOnly(signs, whole) };
}

function prepare(document: DomDocument, url: string): DomDocument {
  const base = baseOf(document, url);
  removeInvisible(document);
  markQuoted(document);
  resolveUrls(document, base);
  return document;
}

/** The main part of a page, which is taken out of it; undefined where none is found. */
function articleOf(document: DomDocument): { text: string; content: DomElement } | undefined {
  const content = new ArticleFinder(document).parse()?.content;
  if (!content) return undefined;
  const text = textOf(content);
  return text.length < SHORT_ARTICLE ? undefined : { text, content };
}

function authorOf(document: DomDocument): string | null {
  const meta = document.querySelector('meta[name="author" i], meta[property="article:author" i]');
  const given =
    meta?.getAttribute('content') ?? document.querySelector('[rel="author"], [itemprop="author"]')?.textContent;
  const byline = lineOf(given, PAGE_LIMITS.bylineCharacters);
  // Some name the page of the author.
  return byline === '' || /^https?:/i.test(byline) ? null : byline;
}

function languageOf(lang: string | null | undefined): string | null {
  return /^\s*([a-z]{2,3})(?![a-z\d])/i.exec(lang ?? '')?.[1]?.toLowerCase() ?? null;
}
