import { describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { eventually } from '../../support/probes/eventually.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('a call that is left', () => {
  const gateway = useGateway({
    backends: [{ id: 'one', max_concurrency: 1 }],
    env: { BUILTIN_BACKEND: 'false' },
  });

  it('is charged for its prompt where a server has it, and for nothing while it waits for its place', async () => {
    gateway.backend.byDefault = () => ({ ending: 'silent' });
    const [asked, waiting] = [new AbortController(), new AbortController()];

    const first = chat(asked.signal);
    await eventually('the server has it', 5, () => gateway.received === 1);
    const second = chat(waiting.signal);
    await eventually('the second is begun', 5, async () => (await begun()).length === 2);
    waiting.abort();
    await eventually('the second is over', 5, async () => (await ended()).length === 1);
    asked.abort();
    await eventually('the first is over', 5, async () => (await ended()).length === 2);

    expect([await first, await second, gateway.received]).toEqual(['left', 'left', 1]);
    expect((await ended()).map(({ prompt_tokens: prompt }) => prompt > 0)).toEqual([false, true]);
  });

  const body = { model: 'scripted', messages: [{ role: 'user', content: 'Tell me all that you know of it.' }] };
  const chat = (signal: AbortSignal) =>
    gateway.post('/v1/chat/completions', body, { signal }).then(
      () => 'answered',
      () => 'left',
    );
  const begun = async (): Promise<AnyJson[]> => (await gateway.get('/v1/usage/calls')).body.data;
  /** Calls that are over, the last one first. */
  const ended = async (): Promise<AnyJson[]> => {
    return (await begun()).filter(({ outcome }: AnyJson) => outcome !== null && outcome !== 'open');
  };
});
