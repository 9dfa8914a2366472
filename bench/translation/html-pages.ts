import { parse, serialize } from 'parse5';
import type { InlineText } from '../../src/translation/units/inline-text.js';
import { builtModule } from '../built.js';
import { percentile } from '../load.js';
import type { Figure } from '../section.js';
import { translate, translatorAnswering } from './local-translator.js';

type HtmlUnits = typeof import('../../src/translation/html/read-html-units.js');

const { readHtmlUnits } = await builtModule<HtmlUnits>('translation/html/read-html-units.js');
const BLOCKS = 500;

/** How fast a page of HTML is read and written, and translated without the time of the model, against parse5 alone. */
export async function htmlPages(times: number): Promise<Figure[]> {
  const page = manualPage();
  const { translator, modelTime } = translatorAnswering(0);
  const taken: Record<'bare' | 'rewritten' | 'translated', number[]> = { bare: [], rewritten: [], translated: [] };
  for (let count = 0; count < times; count += 1) {
    taken.bare.push(timeOf(() => serialize(parse(page))));
    taken.rewritten.push(timeOf(() => rewrite(page)));
    const before = modelTime();
    const all = await translate(translator, [page], 'html');
    taken.translated.push(all - (modelTime() - before));
  }
  const bare = median(taken.bare);
  return [
    { row: 'HTML read and written, of the speed of parse5', value: bare / median(taken.rewritten) },
    { row: 'HTML translated', value: bare / median(taken.translated) },
  ].map((figure) => ({ ...figure, reach: { atLeast: 0.5 } }));
}

/** A page as generators of manuals write them: each block has inline elements, classes and links. */
function manualPage(): string {
  const blocks = Array.from(
    { length: BLOCKS },
    (_, at) =>
      `<div class="sect2" id="part-${at}"><p class="para">The option <code class="option">--limit=${at}</code> sets how ` +
      `many <span class="term"><em class="emphasis">rows</em></span> of a <a class="link" href="part.html#p${at}" ` +
      `title="Table of ${at} rows">table</a> are read before the server &mdash; or a <strong>replica</strong> &mdash; ` +
      `writes them.\n    See <a href="https://example.com/${at}">the chapter</a> for what it costs.</p></div>`,
  );
  return `<!DOCTYPE html><html><head><title>Options</title></head><body>${blocks.join('\n')}</body></html>`;
}

function rewrite(html: string): string {
  const { units, write } = readHtmlUnits(html);
  return write(new Map(units.map(({ id, inline }) => [id, inUpperCase(inline)])));
}

function inUpperCase(inline: InlineText): InlineText {
  return inline.map((part) => (part.kind === 'text' ? { kind: 'text', text: part.text.toUpperCase() } : part));
}

/** @returns milliseconds */
function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** Of the later half: the first is still being compiled. */
function median(taken: readonly number[]): number {
  return percentile(
    taken.slice(taken.length >> 1).sort((one, other) => one - other),
    0.5,
  );
}
