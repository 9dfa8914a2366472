import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addSignedInUser } from '../../support/builders/accounts.js';
import type { AnyJson } from '../../support/probes/any-json.js';
import { startGateway } from '../../support/servers/gateway.js';
import type { Gateway } from '../../support/servers/gateway.js';
import { setQuota, usedOf } from '../../support/builders/quota.js';
import type { ReceivedRequest } from '../../support/servers/scripted-backend.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import { textsOf, toGerman, translating } from '../../support/builders/translating-model.js';

describe('documents before a limit', () => {
  let gateway: Gateway;
  let limited: Gateway;

  beforeAll(async () => {
    const env = { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true' };
    gateway = await startGateway({ env });
    limited = await startGateway({ env: { ...env, RATE_LIMIT_TOKENS_PER_MINUTE: '6000' } });
  });
  afterAll(() => Promise.all([gateway.close(), limited.close()]));

  it('keep what was answered when the tokens of the minute are used up, and pay for nothing in vain', async () => {
    const asked: string[] = [];
    limited.backend.byDefault = recorded(asked);
    const documents = new TranslatedDocuments(limited.platform, limited.token);

    const { body } = await documents.send('a.txt', linesOf(300));
    const waiting = await documents.until(body.id as string, isWaiting);

    expect(waiting.error).toContain('Too many tokens');
    expect(asked.length).toBeGreaterThan(0);
    expect(await doneUnits(limited, body.id as string)).toBe(asked.length);
    expect(waiting.progress).toBeCloseTo(asked.length / 300);
  });

  it('are sent with one small call at a time to an engine that takes no more, and become whole', async () => {
    const documents = new TranslatedDocuments(gateway.platform, gateway.token);
    const asked: string[] = [];
    const answer = recorded(asked);
    let open = 0;
    gateway.backend.byDefault = (request) => {
      const isTooMuch = open > 0 || Object.keys(textsOf(request)).length > 16;
      if (isTooMuch) return { status: 429, headers: { 'retry-after': '1' }, pieces: ['{}'] };
      open += 1;
      const { pieces } = answer(request);
      return {
        pieces: (async function* () {
          await new Promise(setImmediate);
          open -= 1;
          yield* pieces as string[];
        })(),
      };
    };

    const document = await documents.translate('a.txt', linesOf(100));

    expect(document).toMatchObject({ status: 'completed', units: 100 });
    expect(new Set(asked).size).toBe(100);
    expect(asked).toHaveLength(100);
  });

  it('are given up once for all where an engine never does better, however many texts there are', async () => {
    const documents = new TranslatedDocuments(gateway.platform, gateway.token);
    gateway.backend.byDefault = translating((text) => text);
    const before = gateway.backend.requests.length;

    const document = await documents.translate('a.txt', linesOf(1_000));

    expect(document).toMatchObject({ status: 'completed', warnings: [expect.stringContaining('(1000 texts)')] });
    const asked = gateway.backend.requests.slice(before).map((request) => Object.keys(textsOf(request)).length);
    const alone = asked.filter((count) => count === 1).length;
    expect(alone).toBeGreaterThanOrEqual(30);
    // Some were on their way when the last useless one came back.
    expect(alone).toBeLessThan(100);
  });

  it('come to their end with a quota that has no room for several calls at once', async () => {
    const user = await addSignedInUser(gateway.platform);
    const documents = new TranslatedDocuments(gateway.platform, user.token);
    const asked: string[] = [];
    gateway.backend.byDefault = recorded(asked);
    const { tokens } = await usedOf(gateway);
    await setQuota(gateway, { enforcing: true, tokens: tokens + 25_000 });

    const { status, error } = await documents.translate('a.txt', linesOf(256));
    await setQuota(gateway, { enforcing: false });

    expect({ status, error }).toEqual({ status: 'completed', error: null });
    expect([asked.length, new Set(asked).size]).toEqual([256, 256]);
  });

  it('ask for equal texts once', async () => {
    const user = await addSignedInUser(gateway.platform);
    const documents = new TranslatedDocuments(gateway.platform, user.token);
    const asked: string[] = [];
    gateway.backend.byDefault = recorded(asked);
    const content = Array.from({ length: 5_000 }, () => 'The house is red.').join('\n\n');

    const { id, status } = await documents.translate('a.txt', content);

    expect(status).toBe('completed');
    // Those that are asked for at the same time do not know of each other.
    expect(asked.length).toBeLessThanOrEqual(8);
    expect((await documents.bytes(id as string)).toString()).toBe(
      content.replaceAll('The house is red.', toGerman('The house is red.')),
    );
  });
});

/** Answers, and tells what it was asked for. */
const recorded = (asked: string[]) => (request: ReceivedRequest) => {
  asked.push(...Object.values(textsOf(request)));
  return translating(toGerman)(request);
};

const isWaiting = ({ status, error }: AnyJson): boolean => status === 'queued' && error !== null;

const words = ['house', 'river', 'table', 'window', 'garden', 'bridge', 'mountain', 'letter', 'summer', 'winter'];

/** Lines of which no two are equal. */
const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const [one, two, three] = [words[index % 10], words[Math.floor(index / 10) % 10], words[Math.floor(index / 100)]];
    return `The ${one} stands before the ${two} and behind the ${three}.`;
  }).join('\n\n');

async function doneUnits({ platform }: Gateway, id: string): Promise<number | undefined> {
  const sql = 'SELECT done_units AS done FROM document_translations WHERE id = $1';
  return (await platform.query<{ done: number }>(sql, [id]))[0]?.done;
}
