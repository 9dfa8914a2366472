import type { DomDocument, DomElement } from './dom.types.js';

/** How many scripts of a page are looked at, how long one may be, and how many of its values. */
const SCRIPTS = 20;
const SCRIPT_CHARACTERS = 256 * 1024;
const VALUES = 2_000;
/** The years that a page can be of. */
const FIRST_YEAR = 1990;
const DAY_MS = 86_400_000;

/** Where pages say when they were published, the surest first. */
const META_NAMES: readonly string[] = [
  'article:published_time',
  'og:published_time',
  'datepublished',
  'citation_publication_date',
  'citation_date',
  'dc.date.issued',
  'dcterms.issued',
  'dcterms.created',
  'dc.date',
  'dcterms.date',
  'pubdate',
  'publishdate',
  'publish-date',
  'date',
];

const ISO =
  /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?/;

/**
 * When a page says that it was published: by its JSON-LD, else its meta elements, else its `time` elements.
 * @param now Unix milliseconds; later dates are none
 * @returns as ISO 8601
 */
export function publishedAtOf(document: DomDocument, now: number): string | null {
  const given = [linkedData(document), metaValues(document), timeValues(document)];
  for (const values of given) {
    for (const value of values) {
      const date = toDate(value, now);
      if (date !== undefined) return date;
    }
  }
  return null;
}

function* linkedData(document: DomDocument): Generator<string, void> {
  let count = 0;
  for (const script of document.querySelectorAll('script[type^="application/ld+json"]')) {
    if ((count += 1) > SCRIPTS) return;
    const text = script.textContent ?? '';
    if (text.length > SCRIPT_CHARACTERS) continue;
    const found = publishedIn(parse(text));
    if (found !== undefined) yield found;
  }
}

/** The first `datePublished`, the outermost first. */
function publishedIn(data: unknown): string | undefined {
  const open: unknown[] = [data];
  for (let index = 0; index < open.length && index < VALUES; index += 1) {
    const value = open[index];
    if (typeof value !== 'object' || value === null) continue;
    const { datePublished } = value as { datePublished?: unknown };
    if (typeof datePublished === 'string') return datePublished;
    for (const inner of Object.values(value)) if (open.length < VALUES) open.push(inner);
  }
  return undefined;
}

function* metaValues(document: DomDocument): Generator<string, void> {
  const values = new Map<string, string>();
  for (const meta of document.querySelectorAll('meta[content]')) {
    const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('itemprop');
    const key = name?.trim().toLowerCase();
    if (key !== undefined && !values.has(key)) values.set(key, meta.getAttribute('content') ?? '');
  }
  for (const name of META_NAMES) {
    const value = values.get(name);
    if (value !== undefined) yield value;
  }
}

function* timeValues(document: DomDocument): Generator<string, void> {
  const times = [...document.querySelectorAll('time')].slice(0, 200);
  const isPublished = (time: DomElement): boolean =>
    time.hasAttribute('pubdate') || /datepublished/i.test(time.getAttribute('itemprop') ?? '');
  for (const time of [...times.filter(isPublished), ...times]) {
    yield time.getAttribute('datetime') ?? (time.textContent ?? '').slice(0, 100);
  }
}

/** A time without a zone is taken for UTC, a month for its first day. */
function toDate(given: string, now: number): string | undefined {
  const text = given.trim().slice(0, 60);
  const [, year, month = '', day = '01', time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${time}${zone}`;
  // Words, such as `12 May 2024`, need a year in full.
  const isWords = year === undefined && /[a-z]{3}/i.test(text) && /\b(?:19|20)\d\d\b/.test(text);
  const milliseconds = year === undefined ? (isWords ? parseWords(text) : Number.NaN) : Date.parse(iso);
  if (Number.isNaN(milliseconds) || milliseconds > now + DAY_MS) return undefined;
  const date = new Date(milliseconds);
  return date.getUTCFullYear() < FIRST_YEAR ? undefined : date.toISOString();
}

/** Words without a zone are taken for UTC, too. */
function parseWords(text: string): number {
  const inUtc = Date.parse(`${text} UTC`);
  return Number.isNaN(inUtc) ? Date.parse(text) : inUtc;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
