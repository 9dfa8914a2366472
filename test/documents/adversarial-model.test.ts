import { describe, expect, it } from '@jest/globals';
import { keepPassages, readPassages } from '../../src/inference/calls/passage-fence.js';
import { Random } from '../crash/random.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { DocumentProbe } from '../support/builders/documents.js';
import { HOSTILE_SCHEMA, hostileAnswer, talkingPages } from '../support/builders/documents/hostile-model.js';
import { flawOf } from '../support/builders/documents/proven-fields.js';
import type { WrittenWord } from '../support/builders/documents/proven-fields.js';
import { completion } from '../support/servers/scripted-backend.js';
import { useGateway } from '../support/servers/use-servers.js';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

describe('a model that makes things up, and obeys what it reads', () => {
  const gateway = useGateway();

  it.each(SEEDS)('proves what is left of it, seed %i', async (seed) => {
    const random = new Random(seed);
    const { file, words } = await talkingPages(random);
    gateway.backend.byDefault = ({ body }) => completion(hostileAnswer(random, body.messages[0].content));

    const { document, fields } = await read({ 'pages.pdf': file });

    expect(document).toMatchObject({ status: 'ready', error: null });
    const flaws = Object.entries(fields).flatMap(([path, field]) => {
      const flaw = flawOf(field, words);
      return flaw === undefined ? [] : [{ path, flaw, ...field }];
    });
    expect(flaws).toEqual([]);
    expect(Object.keys(fields).filter((path) => !PLACE.test(path))).toEqual([]);
    // What it invents makes no work for people.
    expect(Object.keys(fields).length).toBeLessThan(400);
  });

  it('is believed where it can prove what it says', async () => {
    const { file, words } = await talkingPages(new Random(1));
    const values = [
      { field: 'seller', value: 'northwind  LTD.', quote: '"Northwind\u00a0Ltd. of page 1"', page: -7 },
      { field: 'mood', value: 'storm', quote: 'in a storm', page: 'one' },
      { field: 'tags[9999]', value: 'steel', quote: 'Widgets of steel', page: 1 },
      { field: 'line_items[70].taxes[9999]', value: '999999', quote: '999,999.00 EUR', page: 1 },
    ];
    gateway.backend.byDefault = () => completion(JSON.stringify({ values }));

    const { fields } = await read({ 'pages.pdf': file });

    expect(fields).toMatchObject({
      seller: { value: 'Northwind Ltd.', extractor: 'rules+model' },
      mood: { value: 'storm', extractor: 'model' },
    });
    const listed = Object.entries(fields).filter(([path]) => /^tags|taxes/.test(path));
    expect(listed.map(([, { value }]) => value)).toEqual(expect.arrayContaining(['steel', 999_999]));
    expect(listed.length).toBeLessThan(10);
    expect(
      Object.values(fields)
        .map((field) => flawOf(field, words))
        .filter(Boolean),
    ).toEqual([]);
  });

  it.each(SEEDS.slice(0, 5))('gets pages inside of fences that they cannot close, seed %i', async (seed) => {
    const { file, words } = await talkingPages(new Random(seed));
    gateway.backend.reset();
    gateway.backend.byDefault = () => completion('{"values": []}');

    await read({ 'pages.pdf': file });

    const prompts = gateway.backend.requests.map(({ body }) => body.messages as { content: string }[]);
    const pages = prompts.flatMap(([message]) => readPassages(message?.content ?? ''));
    expect(pages.map(({ text }) => text.split(/[\s|]+/).join(' '))).toEqual(
      [...new Set(words.map(({ page }) => page))].map((page) => textOf(words, page)),
    );
    for (const [message, ...others] of prompts) {
      const [, key = ''] = /<passage-([a-z]{12}) n="1"/.exec(message?.content ?? '') ?? [];
      const outside = keepPassages(message?.content ?? '', key, 0);
      expect(others).toEqual([]);
      expect(textOf(words)).not.toContain(key);
      expect(outside).not.toMatch(/Northwind|SYSTEM|INV-2024/);
    }
  });

  async function read(files: Record<string, Uint8Array>) {
    const body = { schema: HOSTILE_SCHEMA, model: 'scripted' };
    const session = await DocumentProbe.create(gateway.platform, gateway.token, body);
    const [document] = await session.read(files);
    const { body: results } = await session.request('GET', '/results');
    return { document, fields: results.data[0].fields as Record<string, AnyJson> };
  }
});

function textOf(words: readonly WrittenWord[], page?: number): string {
  return words
    .filter((word) => page === undefined || word.page === page)
    .map(({ text }) => text)
    .join(' ');
}

/** The places of values that the schema has. */
const PLACE =
  /^(?:seller|number|total|net|pieces|issued|settled|mood|tags\[\d+\]|line_items\[\d+\]\.(?:description|amount|taxes\[\d+\]))$/;
