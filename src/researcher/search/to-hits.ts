import { cleanText } from '../../platform/extraction/web/clean-text.js';
import { objectsOf, textOr } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { readableName } from '../../platform/text/name.js';
import { toPageUrl } from './canonical-url.js';
import type { SearchHit } from './search.types.js';

/** Of one answer; whoever sends more has misunderstood the question. */
const MAX_HITS = 100;
const MAX_TITLE = 300;
const MAX_SNIPPET = 1_000;
const MAX_ENGINE = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Before it there was no web. */
const EARLIEST = Date.UTC(1990, 0, 1);

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/;
/** As HTTP writes it (RFC 9110, section 5.6.7). */
const HTTP_TIME = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (?:GMT|\+0000)$/;

/** What a provider tells of a page, in whatever form. */
export interface ToldHit {
  readonly title: unknown;
  readonly url: unknown;
  readonly snippet: unknown;
  readonly engine: unknown;
  readonly publishedAt: unknown;
}

/**
 * The hits of an answer, of which 100 are read: those that lead to a page by http or https. Nobody vouches for what is
 * told, so its texts are cut, without control characters and what nobody sees, and a date has to be one.
 * @param results the list in the answer
 * @param tell which of its fields say what
 */
export function toHits(results: unknown, tell: (result: JsonObject) => ToldHit): SearchHit[] {
  return objectsOf(results)
    .slice(0, MAX_HITS)
    .flatMap((result) => toHit(tell(result)));
}

function toHit({ title, url, snippet, engine, publishedAt }: ToldHit): SearchHit[] {
  const page = toPageUrl(textOr(url, ''));
  if (!page) return [];
  return [
    {
      title: readableText(title, MAX_TITLE) || page.host,
      url: page.href,
      snippet: readableText(snippet, MAX_SNIPPET),
      engine: readableText(engine, MAX_ENGINE),
      publishedAt: readTime(publishedAt),
    },
  ];
}

/** Cut before it is cleaned, since somebody else decides how long it is; half of what is looked at may be hidden. */
function readableText(told: unknown, most: number): string {
  return readableName(cleanText(readableName(textOr(told, ''), 2 * most)), most);
}

/** The time that a text tells, in UTC where it names no zone; null where it tells none, one before 1990, or one to come. */
export function readTime(text: unknown): Date | null {
  if (typeof text !== 'string' || text.length > 40) return null;
  const [, day, time = '00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? [];
  if (day === undefined && !HTTP_TIME.test(text)) return null;
  const value = Date.parse(day === undefined ? text : `${day}T${time}${zone}`);
  // Of a page that is written where a day has begun already.
  return value >= EARLIEST && value <= Date.now() + DAY_MS ? new Date(value) : null;
}
