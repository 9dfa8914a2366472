import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { ProvenSentence, RawCitation, RawReport, RefusedClaim } from './verification.types.js';

const MARKDOWN = /[\\`*_[\]<>#|~{}!&$]/g;
/** Of a heading, in UTF-16 units. */
const LONGEST_TITLE = 200;
/** A word that some program makes a link of, whatever is escaped in it: an address, a host, an e-mail address, a name. */
const ADDRESS = /\/\/|@|www\.|[\p{L}\p{N}-]\.\p{L}{2}|(?<!\p{L})(?:https?|ftp|mailto|data|javascript|file):/iu;
const BEFORE_ADDRESS = /^["'“„«‘([{<]*/u;
const BEHIND_ADDRESS = /[.,;:!?"'”“’»)\]}>]/u;
const LIST_START = /^(\d{1,9})([.)])|^([-+=])/;

/**
 * Makes a report of what is proven: Markdown with a heading for each section in the order of the first sentences, the
 * numbers of the citations behind each sentence, and the list of what they cite. Sentences that are written alike are one
 * with the citations of all; each place of a source has one number. What is written in a source is shown as it is: it is
 * no heading, link, image or code of the report. Takes time in proportion to what is proven, in turns of one sentence.
 * @throws the reason of the signal of the cooperation
 */
export async function toReport(proven: readonly ProvenSentence[], cooperation: CooperativeYield): Promise<RawReport> {
  const citations: RawCitation[] = [];
  const titles = new Map<string, string>();
  const numbers = new Map<string, number>();
  const sentences = new Map<string, { sentence: ProvenSentence; marks: Set<number> }>();
  for (const sentence of proven) {
    const known = sentences.get(sentence.text) ?? { sentence, marks: new Set<number>() };
    sentences.set(sentence.text, known);
    for (const { source, quote, start, end } of sentence.quotes) {
      const key = `${start}-${end}-${source.id}`;
      const index = numbers.get(key) ?? citations.length + 1;
      if (!numbers.has(key)) {
        numbers.set(key, index);
        citations.push({ index, source_id: source.id, url: source.url, quote, start, end });
        titles.set(source.id, source.title ?? '');
      }
      known.marks.add(index);
    }
  }
  const cited = [...sentences.values()].map(({ sentence, marks }) => ({
    sentence,
    citations: [...marks].sort((a, b) => a - b),
  }));
  return {
    text: await toMarkdown(cited, citations, titles, cooperation),
    sentences: cited.map(({ sentence: { text, support }, citations: marks }) => ({ text, support, citations: marks })),
    citations,
  };
}

/** How many claims were dropped, and for which reasons how many. */
export function countDropped(refused: readonly RefusedClaim[]): { count: number; reasons: Record<string, number> } {
  const reasons: Record<string, number> = {};
  for (const { reason } of refused) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return { count: refused.length, reasons };
}

async function toMarkdown(
  sentences: readonly { readonly sentence: ProvenSentence; readonly citations: readonly number[] }[],
  citations: readonly RawCitation[],
  titles: ReadonlyMap<string, string>,
  cooperation: CooperativeYield,
): Promise<string> {
  if (sentences.length === 0) return '';
  const sections = new Map<string, string[]>();
  for (const { sentence, citations: marks } of sentences) {
    if (cooperation.isDue) await cooperation.yield();
    const written = `${escaped(sentence.text)} ${marks.map((mark) => `[${mark}]`).join('')}`;
    const section = sections.get(sentence.section);
    if (section) section.push(written);
    else sections.set(sentence.section, [written]);
  }
  const parts = [...sections].map(([title, lines]) => {
    const heading = escaped(cutTitle(title));
    return (heading === '' ? '' : `## ${heading}\n\n`) + lines.join(' ');
  });
  const list = await cooperation.map(citations, ({ index, source_id: id, url, quote }) => {
    const from = [titles.get(id) ?? '', url].filter((name) => name !== '').map(escaped);
    return `${index}. ${from.length === 0 ? '' : `${from.join(', ')}: `}“${escaped(quote)}”`;
  });
  return `${parts.join('\n\n')}\n\n---\n\n${list.join('\n')}\n`;
}

function cutTitle(title: string): string {
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE).toWellFormed()}…` : title;
}

/** A text as one line that Markdown shows as it is, with addresses as code, of which no program makes links. */
function escaped(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim().split(' ');
  return words
    .map((word) => (ADDRESS.test(word) ? withAddress(word) : plain(word)))
    .join(' ')
    .replace(LIST_START, (_, digits?: string, dot?: string, sign?: string) =>
      sign === undefined ? `${digits}\\${dot}` : `\\${sign}`,
    );
}

/** A word with an address as code, but for what stands around it in a sentence. */
function withAddress(word: string): string {
  const start = BEFORE_ADDRESS.exec(word)?.[0].length ?? 0;
  let end = word.length;
  while (end > start && BEHIND_ADDRESS.test(word.charAt(end - 1))) end -= 1;
  return plain(word.slice(0, start)) + (end > start ? code(word.slice(start, end)) : '') + plain(word.slice(end));
}

function plain(text: string): string {
  return text.replaceAll(MARKDOWN, '\\$&');
}

/** A word as code: between more backticks than it has in a row. */
function code(word: string): string {
  const longest = Math.max(0, ...Array.from(word.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? fence + word + fence : `${fence} ${word} ${fence}`;
}
