import { execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from '@jest/globals';
import { ApertiumEngine } from '../../../src/inference/translation/apertium/apertium-engine.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { onApertium } from '../../support/servers/services.js';
import { usePlatform } from '../../support/servers/use-servers.js';

const REQUEST = { source_language: 'en', target_language: 'es' } as const;

onApertium.describe('apertium', () => {
  const platform = usePlatform();
  let token: string;

  beforeAll(async () => {
    token = (await platform.login()).access_token;
  });

  const translate = (members: object) => platform.as(token).post('/v1/translate/text', { ...REQUEST, ...members });

  it('translates on a machine that has nothing else, by REST and by the graph', async () => {
    const rest = await translate({ text: 'The red house is new.' });
    const graph = await platform.graphql(
      'mutation ($input: TranslateTextInput!) { translateText(input: $input) { model translations { text engine } } }',
      { input: { text: 'La casa es roja.', sourceLanguage: 'es', targetLanguage: 'en' } },
      token,
    );

    expect([rest.status, rest.body.model]).toEqual([200, 'apertium']);
    expect(rest.body.translations[0].text).toBe('La casa roja es nueva.');
    expect(graph.body.data.translateText).toEqual({
      model: 'apertium',
      translations: [{ text: 'The house is red.', engine: 'apertium' }],
    });
  });

  it('keeps tags on their words, placeholders, what its own stream means, and line breaks', async () => {
    const html = await translate({
      text: '<p>The <b>red house</b> is at <a href="/x?a=1&amp;b=2">the end</a>.</p>',
      format: 'html',
    });
    const text = await translate({ text: 'The price is {price} [net] ^a/b$ \\ @ <x>.\nThe house is red.\n' });

    expect(html.body.translations[0].text).toMatch(/^<p>.*<b>.*<\/b>.*<a href="\/x\?a=1&amp;b=2">.*<\/a>.*<\/p>$/);
    const [{ text: translated, warnings }] = text.body.translations;
    expect(warnings).toEqual([]);
    expect(translated).toContain('{price}');
    expect(translated).toMatch(/\[.*\].*\n.*casa es roja\.\n$/);
  });

  it('keeps the terms of a glossary', async () => {
    const { body } = await translate({
      text: 'The house is red.',
      glossary: [{ source: 'house', target: 'Hogar Uno' }],
    });

    expect(body.translations[0].text).toContain('Hogar Uno');
  });

  it('is refused by name for a pair that is not installed, and for texts of an unknown language', async () => {
    const pair = await translate({ text: 'The house is red.', target_language: 'de' });
    const unknown = await translate({ text: 'XB 12', source_language: undefined, model: 'apertium' });
    const builtin = await translate({ text: 'The house is red.', model: 'builtin-extractive' });

    expect([pair.status, pair.body.error.param]).toEqual([409, 'target_language']);
    expect([unknown.status, unknown.body.error?.param ?? unknown.body.translations?.[0].text]).toEqual([
      400,
      'source_language',
    ]);
    expect([builtin.status, builtin.body.error.code, builtin.body.error.param]).toEqual([
      409,
      'capability_not_supported',
      'model',
    ]);
  });

  it('detects the language, and takes a region for its language', async () => {
    const { body } = await translate({
      text: 'The house is red, and the garden behind it is very large.',
      source_language: undefined,
      target_language: 'es-MX',
    });

    expect(body).toMatchObject({ source_language: 'en', target_language: 'es-MX' });
    expect(body.translations[0].detected_language).toBe('en');
    expect(body.translations[0].text).toContain('casa');
  });

  it('begins anew where its programs were ended, with no translation lost', async () => {
    const engine = (await ApertiumEngine.find()) as ApertiumEngine;
    const request = {
      model: 'apertium',
      traits: engine.translation,
      texts: ['The house is red.'],
      source: 'en',
      target: 'es',
    };
    const ask = async () => (await engine.translate(request, new AbortController().signal, 'u'))[0]?.text;

    const first = await ask();
    const before = groups();
    for (const group of before) process.kill(-group, 'SIGKILL');
    const second = await eventually('the programs run again', 10, ask);
    await engine.close();

    expect([first, second]).toEqual(['La casa es roja.', 'La casa es roja.']);
    await eventually('nothing of them runs', 10, () => groups().length === 0);
  });

  it('has no argument of a text, and keeps its programs', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `The house number ${index} is red.`);

    const { body } = await translate({ texts });
    const { body: again } = await translate({ texts: texts.slice(0, 3) });

    expect(body.translations.map(({ text }: AnyJson) => text.match(/\d+/)[0])).toEqual(
      texts.map((_, index) => String(index)),
    );
    expect(body.translations.flatMap(({ warnings }: AnyJson) => warnings)).toEqual([]);
    expect(again.translations[2].text).toContain('casa');
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('house number');
  });
});

/** Of processes that this one has started: groups of shells that run the programs. */
function groups(): number[] {
  const rows = execFileSync('ps', ['-eo', 'ppid,pid,args'], { encoding: 'utf8' }).split('\n');
  return rows.flatMap((row) => {
    const [, parent, pid, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
    return Number(parent) === process.pid && args.includes('apertium-transfer') && args.startsWith('/bin/sh')
      ? [Number(pid)]
      : [];
  });
}

onApertium.describe('modes of apertium', () => {
  it('are those that are installed, by BCP 47', async () => {
    const engine = (await ApertiumEngine.find()) as ApertiumEngine;

    expect([...engine.translation.pairs]).toEqual(
      expect.arrayContaining([
        { source: 'en', target: 'es' },
        { source: 'es', target: 'en' },
      ]),
    );
    await engine.close();
  });
});
