import { afterEach, describe, expect, it } from '@jest/globals';
import type { RestOptions } from '../../support/servers/platform.js';
import { textsOf, toGerman, translating } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('texts by a chat model', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false' } });

  afterEach(() => gateway.backend.reset());

  const translate = (members: object, options?: RestOptions) =>
    gateway.post('/v1/translate/text', { source_language: 'en', target_language: 'de', ...members }, options);

  it('come back in their order, with what was used', async () => {
    gateway.backend.byDefault = translating(toGerman);

    const { status, body } = await translate({ texts: ['The house is red.', '', 'You have 3 new messages.'] });

    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'translation',
      model: 'scripted',
      source_language: 'en',
      target_language: 'de',
      translations: [
        { text: toGerman('The house is red.'), detected_language: null, engine: 'chat', warnings: [] },
        { text: '', detected_language: null, engine: null, warnings: [] },
        { text: toGerman('You have 3 new messages.'), detected_language: null, engine: 'chat', warnings: [] },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });
    expect(gateway.received).toBe(1);
  });

  it('keep line breaks, white space, placeholders and addresses', async () => {
    gateway.backend.byDefault = translating(toGerman);
    const text = '  Dear {name},\r\n\r\n\tplease write to help@example.com or call %1$s.\n';

    const { body } = await translate({ text });

    const [{ text: translated, warnings }] = body.translations;
    expect(warnings).toEqual([]);
    expect(translated).toBe(
      `  ${toGerman('Dear')} {name},\r\n\r\n\t${toGerman('please write to')} help@example.com ${toGerman('or call')} %1$s.\n`,
    );
    expect(JSON.stringify(gateway.backend.requests)).not.toContain('help@example.com');
  });

  it('are translated piece by piece where tags have no partner, which stay where they are', async () => {
    gateway.backend.byDefault = translating(toGerman);

    const { body } = await translate({ text: '<p>The red <b>house <i>is</b> very</i> old', format: 'html' });

    expect(body.translations[0]).toMatchObject({
      text: `<p>${toGerman('The red')} <b>${toGerman('house')} <i>${toGerman('is')}</b> ${toGerman('very')}</i> ${toGerman('old')}`,
      warnings: [],
    });
  });

  it('share no answer that is right for one of them alone', async () => {
    // A placeholder may leave its pair, and an element may not.
    gateway.backend.byDefault = translating((text) =>
      toGerman(text.replace(' ⟦2⟧', '').replace('please', '⟦2⟧ please')),
    );
    const texts = ['<p>Call <b>now {name} here</b> please', '<p>Call <b>now <code>x</code> here</b> please'];

    const { status, body } = await translate({ texts, format: 'html' });

    expect(status).toBe(200);
    expect(body.translations.map(({ text }: { text: string }) => text.match(/<\/?b>|{name}|<code>/g))).toEqual([
      ['<b>', '</b>', '{name}'],
      ['<b>', '<code>', '</b>'],
    ]);
  });

  it('are asked for once where they are equal, and not at all where they are in the target language', async () => {
    gateway.backend.byDefault = translating(toGerman);

    const { body } = await translate({ texts: Array.from({ length: 40 }, () => 'The house is red.') });
    const same = await translate({ text: 'The house is red.', target_language: 'en-GB' });

    expect(body.translations.map(({ text }: { text: string }) => text)).toEqual(
      Array.from({ length: 40 }, () => toGerman('The house is red.')),
    );
    expect(gateway.backend.requests.map((request) => Object.keys(textsOf(request)))).toEqual([['t1']]);
    expect(same.body.translations[0].text).toBe('The house is red.');
    expect([same.body.model, same.body.usage.total_tokens]).toEqual([null, 0]);
  });
});
