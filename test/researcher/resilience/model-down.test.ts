import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { articleOf, ResearchBed } from '../../support/servers/research-bed.js';
import { researchCalls } from '../../support/probes/research-calls.js';
import { askedBy, honestModel } from '../../support/builders/researching-model.js';
import type { ResearchTask } from '../../support/builders/researching-model.js';
import { completion, json } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { askAgainAtOnce } from '../../support/builders/research-time.js';
import { setQuota } from '../../support/builders/quota.js';

const FAILURES: readonly (readonly [string, Script])[] = [
  ['is down', { ending: 'reset' }],
  ['answers 500', json(500, { error: 'away' })],
  ['answers 429', json(429, { error: 'away' }, { 'retry-after': '1' })],
  ['breaks an answer off', { pieces: ['{"id":"chatcmpl-1","object":"chat.completion","choi'], ending: 'cut' }],
];

describe('research whose model server fails', () => {
  it.each(FAILURES)('goes on where it %s once', async (_what, failure) => {
    const before = await countCalls();
    failAt('claims', failure, 1);

    const session = await bed.research(SETTINGS);

    expect([session.status, session.error]).toEqual(['completed', null]);
    expect(session.report).toEqual(undisturbed.report);
    expect(await countCalls()).toEqual({ ledger: before.ledger + 5, server: before.server + 5 });
  });

  it.each<[ResearchTask, string, Script]>([
    ...FAILURES.map(([what, failure]) => ['claims', what, failure] as [ResearchTask, string, Script]),
    ['plan', 'is down', { ending: 'reset' }],
    ['section', 'is down', { ending: 'reset' }],
  ])(
    'is failed at its %s where it %s, keeps what it has, and has the same report when resumed',
    async (at, _, failure) => {
      failAt(at, failure, 3);

      const failed = await bed.research(SETTINGS);
      const resumed = await bed.resumed(failed.id);

      expect([failed.status, failed.reason]).toEqual(['failed', 'model_failed']);
      expect(failed.sources).toHaveLength(at === 'plan' ? 0 : 2);
      expect([resumed.status, resumed.error]).toEqual(['completed', null]);
      expect(JSON.stringify(resumed.report)).toBe(JSON.stringify(undisturbed.report));
      const { ledger, server } = await countCalls();
      expect(ledger).toBe(server);
      expect((await bed.events(resumed.id)).every((event, index) => event.id === index + 1)).toBe(true);
    },
  );

  it('is failed where the quota ends, keeps what it has, and has the same report when that is raised', async () => {
    await setTokens(HUGE);
    const usage = { prompt_tokens: HUGE, completion_tokens: 1, total_tokens: HUGE + 1 };
    answerAt('claims', (script) => completion(textOf(script), { usage }), 1);

    const failed = await bed.research(SETTINGS);
    const claims = (await bed.events(failed.id)).filter(({ event }) => event === 'claim');
    await setTokens(10 * HUGE);
    const resumed = await bed.resumed(failed.id);

    expect([failed.status, failed.reason, failed.sources.length]).toEqual(['failed', 'quota_exceeded', 2]);
    expect(claims).toHaveLength(1);
    expect([resumed.status, resumed.error]).toEqual(['completed', null]);
    expect(JSON.stringify(resumed.report)).toBe(JSON.stringify(undisturbed.report));
    const counts = await countCalls();
    expect(counts.ledger).toBe(counts.server);
  });

  let [bed, undisturbed]: [ResearchBed, AnyJson] = [] as never;
  let impatience: Disposable;
  beforeAll(async () => {
    impatience = askAgainAtOnce();
    bed = await ResearchBed.start(PAGES);
    bed.gateway.backend.byDefault = honestModel('Kessel');
    undisturbed = await bed.research(SETTINGS);
  });
  afterAll(async () => {
    impatience[Symbol.dispose]();
    await bed.close();
  });

  /** The next calls for a task fail. */
  const failAt = (at: ResearchTask, failure: Script, times: number) => answerAt(at, () => failure, times);

  /** The next calls for a task are answered otherwise. */
  function answerAt(at: ResearchTask, change: (script: Script) => Script, times: number): void {
    const honest = honestModel('Kessel');
    let left = times;
    bed.gateway.backend.byDefault = (request) =>
      askedBy(request).task === at && left-- > 0 ? change(honest(request)) : honest(request);
  }

  async function countCalls(): Promise<{ ledger: number; server: number }> {
    return { ledger: (await researchCalls(bed.platform)).length, server: bed.gateway.backend.requests.length };
  }

  async function setTokens(tokens: number): Promise<void> {
    await setQuota(bed.gateway, { enforcing: true, tokens }, bed.tenant.user.tenantId);
  }
});

/** What a model has answered. */
function textOf({ pieces }: Script): string {
  const [body] = pieces as string[];
  return JSON.parse(body ?? '').choices[0].message.content as string;
}

const HUGE = 1_000_000;
const SETTINGS = { question: 'How long is the Kessel bridge?', depth: 1, model: 'scripted' };
const PAGES = {
  '/length': articleOf('Length', 'The Kessel bridge is 412 metres long.'),
  '/history': articleOf('History', 'The Kessel bridge was opened in 1967.'),
};
