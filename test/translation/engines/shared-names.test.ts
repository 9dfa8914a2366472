import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { json } from '../../support/servers/scripted-backend.js';
import { onApertium } from '../../support/servers/services.js';
import { libretranslate, toGerman, translating } from '../../support/builders/translating-model.js';

describe('a translation server and a chat model of one name', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startNamed([
      { ...SERVER, id: 'lt', models: [{ id: 'shared' }] },
      { ...CHAT, models: ['shared'] },
    ]);
  });
  afterAll(() => gateway.close());

  it('are asked for what they serve, the server first', async () => {
    expect(await translate({})).toEqual([200, 'libretranslate']);
    expect(await translate({ formality: 'more' })).toEqual([200, 'chat']);
    expect(await translate({ context: 'A shop.' })).toEqual([200, 'chat']);
    expect(await translate({ target_language: 'sv' })).toEqual([200, 'chat']);
  });

  const translate = async (members: object): Promise<[number, string]> => {
    const answer = await translateBy(gateway, { model: 'shared', target_language: 'de', ...members });
    return [answer.status, answer.body.translations?.[0].engine ?? answer.body.error.param];
  };

  it('are asked by the caller’s key where one takes keys and the other does not', async () => {
    const options = { headers: { 'x-byok-api-key': 'my-own-key-12345' } };

    const { body } = await translateBy(gateway, { model: 'shared', target_language: 'de' }, options);

    expect(body.translations[0].engine).toBe('chat');
  });
});

onApertium.describe('a translation server with the name of the programs', () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startNamed([{ ...SERVER, id: 'lt', models: [{ id: 'apertium' }] }]);
  });
  afterAll(() => gateway.close());
  afterEach(() => answerAsServers(gateway));

  const translate = (members: object) => translateBy(gateway, { model: 'apertium', format: 'html', ...members });

  it('gets the texts that are written for it, and the programs those that it does not serve', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const text = `Read <b>the book</b> ${turn}.`;
      const own = await translate({ text, target_language: 'es' });
      const other = await translate({ text: 'Lee <b>el libro</b>.', source_language: 'es', target_language: 'en' });

      expect([own.status, own.body.translations?.[0].engine]).toEqual([200, 'libretranslate']);
      expect(own.body.translations[0].warnings).toEqual([]);
      expect([other.status, other.body.translations?.[0].engine]).toEqual([200, 'apertium']);
    }
  });

  it('is what an error is about where it fails, whatever the programs would do', async () => {
    const server = gateway.backends[0]!;
    server.byDefault = (request) =>
      request.path.endsWith('/languages') ? LISTED(request) : json(500, { error: 'Cannot translate.' });

    const { status } = await translate({ text: 'Read the book.', target_language: 'es' });

    expect(status).toBe(502);
  });
});

const SERVER = { kind: 'libretranslate' } as const;
const CHAT = { id: 'chat', byok: true } as const;

/** From Spanish it translates nothing, as the programs do. */
const LISTED = libretranslate(toGermanHtml, [
  { code: 'en', targets: ['de', 'es'] },
  { code: 'de', targets: ['en'] },
]);

function toGermanHtml(html: string): string {
  return html.replaceAll(/(<[^>]*>|&\w+;)|([^<&]+)/g, (_all, tag, text) => tag ?? toGerman(text));
}

async function startNamed(backends: readonly object[]): Promise<Gateway> {
  const env = { EGRESS_ALLOW: '127.0.0.0/8' };
  const gateway = await startGateway({ servers: backends.length, backends, env });
  answerAsServers(gateway);
  await eventually('all are healthy', 60, async () => {
    const { body } = await gateway.get('/v1/backends');
    return body.data.every(({ healthy }: AnyJson) => healthy);
  });
  return gateway;
}

function answerAsServers({ backends: [server, chat] }: Gateway): void {
  if (server) server.byDefault = LISTED;
  if (chat) chat.byDefault = translating(toGerman);
}

function translateBy(gateway: Gateway, members: object, options?: object) {
  const request = { text: 'The house is red.', source_language: 'en', ...members };
  return gateway.post('/v1/translate/text', request, options);
}
