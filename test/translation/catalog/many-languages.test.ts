import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { languagesOf, libretranslate, toGerman } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('servers of many languages', () => {
  const gateway = useGateway(() => SETTINGS);

  beforeAll(async () => {
    gateway.backends.forEach((backend, index) => (backend.byDefault = libretranslate(germanHtml, LANGUAGES[index])));
    await eventually('all are healthy', 60, async () => {
      const { body } = await gateway.get('/v1/backends');
      return body.data.every(({ healthy }: AnyJson) => healthy);
    });
  });

  it('are listed pair by pair where they are as large as such servers are, and in short beyond', async () => {
    const models = await list();

    // Lengths first, since what is too long fills screens.
    expect(['usual', 'large'].map((id) => pairsOf(models, id).length)).toEqual([50 * 49, CODES.length]);
    expect(pairsOf(models, 'usual')).toContainEqual({ source: CODES[0], target: CODES[49] });
    expect(pairsOf(models, 'large')).toEqual(CODES.map((target) => ({ source: '*', target })));
    const all = models.flatMap(({ pairs }) => pairs);
    expect(all.length).toBeLessThanOrEqual(10_000 + models.length);
  });

  const list = async (): Promise<AnyJson[]> => (await gateway.get('/v1/translate/languages')).body.data;
  const pairsOf = (models: AnyJson[], id: string): AnyJson[] => models.find(({ model }) => model === id)?.pairs;

  it('are listed once more in short by an operation that asks for them again and again', async () => {
    const fields = Array.from(
      { length: 10 },
      (_, index) => `l${index}: translationLanguages { pairs { source target } }`,
    );

    const { body } = await gateway.graphql(`{ ${fields.join(' ')} }`);

    const lists = Object.values(body.data as Record<string, AnyJson[]>).flat();
    expect(lists.flatMap(({ pairs }) => pairs).length).toBeLessThanOrEqual(10_000 + lists.length);
    expect(lists.at(-1)?.pairs).toEqual([{ source: '*', target: '*' }]);
  });

  it('translate from any of them into any other, and what they do not have is refused', async () => {
    const [source_language, target_language] = [CODES[399], CODES[1]];
    const translate = (members: object) =>
      gateway.post('/v1/translate/text', {
        text: 'The house.',
        model: 'large',
        source_language,
        target_language,
        ...members,
      });

    const served = await translate({});
    const unserved = await translate({ source_language: 'en' });

    expect([served.status, served.body.translations?.[0].engine]).toEqual([200, 'libretranslate']);
    expect([unserved.status, unserved.body.error?.param]).toEqual([409, 'target_language']);
  });
});

const LETTERS = 'abcdefghijklmnopqrst';
const SCRIPTS = ['Latn', 'Cyrl', 'Grek', 'Arab', 'Hebr', 'Deva', 'Thai', 'Hans', 'Hant', 'Jpan'].flatMap((script) => [
  script,
  `${script}-DE`,
]);
/** Such as `qaa-Latn`: of 20 languages for private use, in ten scripts, with and without a region. */
const CODES = [...LETTERS].flatMap((letter) => SCRIPTS.map((script) => `qa${letter}-${script}`));

const LANGUAGES = [languagesOf(...CODES.slice(0, 50)), CODES.map((code) => ({ code, name: code }))];

const SETTINGS = {
  servers: 2,
  backends: ['usual', 'large', 'usual-2', 'large-2', 'usual-3', 'large-3'].map((id) => ({
    id,
    kind: 'libretranslate',
    models: undefined,
  })),
  env: { BUILTIN_BACKEND: 'false', EGRESS_ALLOW: '127.0.0.0/8' },
};

function germanHtml(html: string): string {
  return html.replaceAll(/(<[^>]*>|&\w+;)|([^<&]+)/g, (_all, tag, text) => tag ?? toGerman(text));
}
