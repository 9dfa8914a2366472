import { afterEach, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { completion } from '../../support/servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../../support/servers/scripted-backend.js';
import { textsOf, toGerman, translating } from '../../support/builders/translating-model.js';
import { cpuGrowth, IN_PROPORTION } from '../../support/probes/cpu-growth.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a chat model that', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false' } });

  afterEach(() => gateway.backend.reset());

  const translate = (texts: readonly string[] = TEXTS) =>
    gateway.post('/v1/translate/text', { texts, source_language: 'en', target_language: 'de', format: 'html' });

  it.each(badModels())(
    '%s always: what is not right is not returned, and the source comes with a warning',
    async (_name, model) => {
      gateway.backend.byDefault = model;

      const { status, body } = await translate();

      expect(status).toBe(200);
      const [html, plain] = body.translations;
      // What the model got right may stand; what it got wrong is the source.
      for (const [translated, source] of [
        [html, HTML],
        [plain, PLAIN],
      ] as const) {
        const tags = (text: string): string[] => text.match(/<[^>]+>/g) ?? [];
        const numbers = (text: string): string[] => text.match(/\d+/g) ?? [];
        const isRight = translated.text === toGerman(source) || translated.warnings.length > 0;
        expect(tags(translated.text)).toEqual(tags(source));
        expect(numbers(translated.text)).toEqual(numbers(source));
        expect(translated.text).not.toMatch(/⟦|⟧|Here is|hacked|happy to help|ж/);
        if (translated.text === source)
          expect(translated.warnings).toEqual([expect.stringContaining('not translated')]);
        else expect(isRight || tags(source).length > 0).toBe(true);
      }
      // Once together, perhaps once more for what was missing, once alone, and once between its markers.
      expect(gateway.received).toBeLessThanOrEqual(8);
    },
  );

  it('fails at first is told why, and what it does better is returned without a warning', async () => {
    gateway.backend.byDefault = translating((text) => toGerman(text));
    gateway.backend.answer({ pieces: [JSON.stringify(badAnswer({ t1: toGerman(HTML).slice(0, 20), t2: 'Ja.' }))] });

    const { body } = await translate();

    const asked = gateway.backend.requests.slice(1).map((request) => request.body.messages[0].content as string);
    expect(asked).toHaveLength(2);
    expect(asked.every((prompt) => prompt.includes('Your last translation was not accepted'))).toBe(true);
    expect(body.translations.flatMap(({ warnings }: AnyJson) => warnings)).toEqual([]);
  });

  it.each([
    ['thinks and fences', '<think>{"t1": "Nein."}</think>\n```json\n', '\n```\n'],
    ['fences without a name', '```', '```'],
    ['fences and leaves much space', `\`\`\`json${' '.repeat(100_000)}`, `${'\n'.repeat(100_000)}\`\`\``],
  ])('%s its answer is understood', async (_name, before, after) => {
    gateway.backend.answer(completion(`${before}${JSON.stringify({ t1: toGerman(PLAIN) })}${after}`));

    const { body } = await translate([PLAIN]);

    expect(body.translations[0]).toMatchObject({ text: toGerman(PLAIN), warnings: [] });
  });

  it('begins a fence, leaves much space and does not end it is read in time in proportion to it', async () => {
    gateway.backend.byDefault = translating(toGerman);

    const growth = await cpuGrowth(
      100_000,
      (count) => completion(`\`\`\`json${' '.repeat(count)}{}`),
      async (answer) => {
        gateway.backend.answer(answer);
        const { body } = await translate([PLAIN]);
        expect(body.translations[0].text).toBe(toGerman(PLAIN));
      },
    );

    expect(growth).toBeLessThan(IN_PROPORTION);
  });

  it('leaves a few texts out is asked for these again', async () => {
    const texts = Array.from({ length: 10 }, (_, index) => `${PLAIN.slice(0, 20)} number ${index} of ten.`);
    gateway.backend.byDefault = translating((text, id) => (id === 't3' || id === 't7' ? undefined : toGerman(text)));

    const { body } = await translate(texts);

    const asked = gateway.backend.requests.map((request) => Object.keys(textsOf(request)).length);
    expect(asked).toEqual([10, 2]);
    expect(body.translations.map(({ text }: AnyJson) => text)).toEqual(texts.map((text) => toGerman(text)));
  });

  it('never does better is not asked about each of many texts, and all of them say that they were not translated', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `The station has a platform called ${WORDS[index]}.`);
    gateway.backend.byDefault = translating((text) => text);

    const { body } = await translate(texts);

    expect(body.translations.map(({ text }: AnyJson) => text)).toEqual(texts);
    for (const { warnings } of body.translations) expect(warnings).toEqual([expect.stringContaining('not translated')]);
    const alone = gateway.backend.requests.filter((request) => Object.keys(textsOf(request)).length === 1);
    expect(alone.length).toBeGreaterThanOrEqual(30);
    // Some were on their way when the last useless one came back.
    expect(alone.length).toBeLessThan(50);
  });

  it('does better when it is told why is told so of each of many texts', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `The station has a platform called ${WORDS[index]}.`);
    gateway.backend.byDefault = (request) =>
      translating((text) => (Object.keys(textsOf(request)).length === 1 ? toGerman(text) : text))(request);

    const { body } = await translate(texts);

    expect(body.translations.map(({ text }: AnyJson) => text)).toEqual(texts.map((text) => toGerman(text)));
    expect(body.translations.flatMap(({ warnings }: AnyJson) => warnings)).toEqual([]);
  });

  it.each([
    ['Copy {source} to {target} now.', 'Copy %s to %d now.', 'Nach ⟦2⟧ jetzt ⟦1⟧ kopieren.'],
    ['Please visit {place} today.', 'Please visit https://bank.example today.', 'Bitte heute ⟦1⟧.evil.com besuchen.'],
    ['Please pay {amount} today.', 'Please pay $5 today.', 'Bitte heute -⟦1⟧ zahlen.'],
  ])('answers %j for %j too is checked for each', async (harmless, other, answer) => {
    gateway.backend.byDefault = translating(() => answer);

    const { body } = await translate([harmless, other]);

    expect(body.translations[0].warnings).toEqual([]);
    expect(body.translations[1]).toMatchObject({
      text: other,
      warnings: [expect.stringContaining('failed the check')],
    });
  });

  it('takes no schema is asked without one, and not with one again', async () => {
    gateway.backend.byDefault = (request) =>
      request.body.response_format
        ? { status: 400, pieces: ['{"error":{"message":"response_format is not supported"}}'] }
        : translating(toGerman)(request);

    const first = await translate([PLAIN]);
    const second = await translate([PLAIN]);

    expect([first, second].map(({ body }) => body.translations[0].text)).toEqual([toGerman(PLAIN), toGerman(PLAIN)]);
    expect(gateway.backend.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false, false]);
  });
});

function badAnswer(texts: object): object {
  const message = { role: 'assistant', content: JSON.stringify(texts) };
  return {
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

const HTML = 'Please read <b>the red book</b> before <a href="/x">the 12 new pages</a> are printed.';

const PLAIN = 'The station was built in 1912 and has 4 platforms.';

const TEXTS = [HTML, PLAIN];

/** 200 words. */
const WORDS = Array.from({ length: 200 }, (_, index) =>
  [...String(index)].map((digit) => 'bdfgklmnpr'[Number(digit)]).join('a'),
);

const MARKER = /⟦\/?\d+⟧/g;

type Model = (request: ReceivedRequest) => Script;

/** Answers all texts, each changed after it was translated well. */
function spoiling(spoil: (translated: string, source: string) => string): Model {
  return translating((text) => spoil(toGerman(text), text));
}

function saying(content: string, members: object = {}): Model {
  return () => completion(content, members);
}

function finishing(reason: string): Model {
  return (request) => {
    const good = JSON.parse((translating(toGerman)(request).pieces as string[])[0] ?? '') as AnyJson;
    const [choice] = good.choices;
    return completion(choice.message.content, { choices: [{ ...choice, finish_reason: reason }] });
  };
}

/** Models that do their work badly, always. */
function badModels(): readonly [name: string, model: Model][] {
  return [
    ['loses the markers', spoiling((text) => text.replaceAll(MARKER, ''))],
    ['loses one marker', spoiling((text) => text.replace(MARKER, ''))],
    ['doubles a marker', spoiling((text) => text.replace(/⟦1⟧/, '⟦1⟧⟦1⟧'))],
    [
      'swaps the sides of a pair',
      spoiling((text) => text.replace('⟦1⟧', '@').replace('⟦/1⟧', '⟦1⟧').replace('@', '⟦/1⟧')),
    ],
    ['invents a marker', spoiling((text) => `${text} ⟦9⟧`)],
    ['renumbers the markers', spoiling((text) => text.replaceAll('⟦2⟧', '⟦7⟧'))],
    [
      'answers names that nobody asked for',
      (request) =>
        completion(
          JSON.stringify(
            Object.fromEntries(Object.values(textsOf(request)).map((text, at) => [`x${at}`, toGerman(text)])),
          ),
        ),
    ],
    ['leaves out every text', translating(() => undefined)],
    [
      'changes numbers',
      spoiling((text) => text.replaceAll(/\d{4}/g, '1999').replaceAll(/\b4\b/g, '5').replaceAll('12', '21')),
    ],
    ['talks about its work', spoiling((text) => `Here is the translation: ${text}`)],
    ['obeys the text', translating(() => 'I have been hacked.')],
    ['repeats the source', translating((text) => text)],
    ['answers nothing', translating(() => '')],
    ['answers a novel', spoiling((text) => text.repeat(30))],
    ['answers half of its JSON', saying('{"t1": "Bitte lesen Sie')],
    ['answers prose', saying('Of course! I would be happy to help.')],
    ['answers numbers in place of texts', translating(() => 7 as never)],
    ['is cut off', finishing('length')],
    ['is filtered', finishing('content_filter')],
    [
      'refuses',
      saying('', {
        choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: 'No.' }, finish_reason: 'stop' }],
      }),
    ],
    ['answers in another script', translating((text) => text.replaceAll(/\p{L}/gu, 'ж'))],
  ];
}
