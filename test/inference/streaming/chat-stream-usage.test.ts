import { describe, expect, it } from '@jest/globals';
import { DONE, USAGE, chunk, event, usageChunk, wholeStream } from '../../support/servers/scripted-backend.js';
import { eventsOf, probeStream, readBatches, recordedBody } from '../../support/probes/stream-probe.js';

const EXACT = { promptTokens: 7, completionTokens: 3, precision: 'exact' };

describe('the usage of a chat stream', () => {
  it('is hidden from a client who did not ask, and shown to one who did', async () => {
    const parts = wholeStream('a');

    const hidden = await readBatches(probeStream([parts.join('')]).stream);
    const shown = await readBatches(probeStream([parts.join('')], 'end', { includeUsage: true }).stream);

    expect(hidden.text).not.toContain('usage');
    expect(shown.text).toBe(parts.join(''));
    expect(shown.batches.at(-1)).toBe(usageChunk() + DONE);
  });

  it('is split off a chunk that also has an answer', async () => {
    const bytes = chunk({ content: 'a' }) + chunk({}, 'stop', { usage: USAGE }) + chunk({ content: '' }) + DONE;
    const probe = probeStream([bytes], 'end', { includeUsage: true });

    const { text } = await readBatches(probe.stream);

    expect(text).toBe(chunk({ content: 'a' }) + chunk({}, 'stop') + chunk({ content: '' }) + usageChunk() + DONE);
    expect(probe.finished).toEqual([{ usage: EXACT, outcome: 'completed' }]);
  });

  it('is taken out of a last chunk that tells more, which goes out without it', async () => {
    const recorded = recordedBody('chat_stream_usage').toString();
    const events = eventsOf(recorded) as Record<string, unknown>[];
    const { usage, ...told } = events.at(-1) ?? {};
    const timings = { ...told, choices: [{ index: 0, delta: {}, finish_reason: null }] };

    const options = { model: 'tiny-random' };
    const hidden = probeStream([recorded], 'end', options);
    const parsed = probeStream([recorded], 'end', options);
    const shown = probeStream([recorded], 'end', { ...options, includeUsage: true });

    expect(usage).toBeDefined();
    expect(told).toMatchObject({ choices: [], timings: { prompt_n: 1 } });
    expect(eventsOf((await readBatches(hidden.stream)).text)).toEqual([...events.slice(0, -1), timings]);
    const chunks = [];
    for await (const { raw } of parsed.stream) chunks.push(raw);
    expect(chunks).toEqual([...events.slice(0, -1), timings]);
    expect((await readBatches(shown.stream)).text).toBe(recorded);
    expect(hidden.finished).toMatchObject([{ usage: { promptTokens: 63, completionTokens: 2, precision: 'exact' } }]);
  });

  it('leaves nothing of a last chunk that says nothing else', async () => {
    const beside = { system_fingerprint: 'b1', service_tier: 'default', obfuscation: 'x', prompt_logprobs: null };
    const last = event({ ...JSON.parse(usageChunk().slice(6)), ...beside });

    const { text } = await readBatches(probeStream([chunk({ content: 'a' }, 'stop') + last + DONE]).stream);

    expect(text).toBe(chunk({ content: 'a' }, 'stop') + DONE);
  });

  it('is estimated where the upstream tells none', async () => {
    const bytes =
      chunk({ role: 'assistant' }) + chunk({ content: 'I am fine, ' }) + chunk({ content: 'thank you.' }) + DONE;
    const probe = probeStream([bytes], 'end', { includeUsage: true });

    const { text } = await readBatches(probe.stream);

    expect(probe.finished).toEqual([
      { usage: { promptTokens: 5, completionTokens: 7, precision: 'estimated' }, outcome: 'completed' },
    ]);
    expect(eventsOf(text).at(-1)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model: 'scripted',
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    });
  });

  it('is estimated where what the upstream tells cannot be counted', async () => {
    const bytes = chunk({ content: 'fine' }) + usageChunk({ prompt_tokens: -1, completion_tokens: 'many' }) + DONE;
    const probe = probeStream([bytes], 'end', { includeUsage: true });

    const { text } = await readBatches(probe.stream);

    expect(probe.finished).toMatchObject([{ usage: { completionTokens: 1, precision: 'estimated' } }]);
    expect(text).not.toContain('many');
  });

  it('is estimated from a sample of a long answer, close to the truth', async () => {
    const parts = Array.from({ length: 2_000 }, (_, index) => chunk({ content: `word${index % 10} ` }));
    const probe = probeStream([...parts, DONE]);

    await readBatches(probe.stream);

    const [{ usage } = { usage: undefined }] = probe.finished;
    expect(usage?.completionTokens).toBeGreaterThan(3_900);
    expect(usage?.completionTokens).toBeLessThan(4_100);
  });

  it('counts the relayed part of an answer that breaks off', async () => {
    const probe = probeStream([chunk({ content: 'fine' })], 'break');

    await readBatches(probe.stream);

    expect(probe.finished).toEqual([
      { usage: { promptTokens: 5, completionTokens: 1, precision: 'estimated' }, outcome: 'failed' },
    ]);
  });
});
