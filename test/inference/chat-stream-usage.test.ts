import { describe, expect, it } from '@jest/globals';
import { DONE, USAGE, chunk, usageChunk, wholeStream } from '../support/scripted-backend.js';
import { eventsOf, probeStream, readBatches } from '../support/stream-probe.js';

const EXACT = { promptTokens: 7, completionTokens: 3, precision: 'exact' };

describe('the usage of a chat stream', () => {
  it('is kept from a client who did not ask, and shown to one who did', async () => {
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
