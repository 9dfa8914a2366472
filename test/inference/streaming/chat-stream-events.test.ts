import { describe, expect, it } from '@jest/globals';
import { BadRequest, PlatformError } from '../../../src/errors.js';
import type { ChunkTransform } from '../../../src/inference/streaming/chunk-transform.js';
import { DONE, USAGE, chunk, event, wholeStream } from '../../support/servers/scripted-backend.js';
import { eventsOf, probeStream, readBatches } from '../../support/probes/stream-probe.js';

describe('the transforms of a chat stream', () => {
  it('change, hold back and add chunks in both views', async () => {
    const parts = wholeStream('a', 'b');
    const byBatch = await readBatches(
      probeStream([parts.join('')], 'end', { transforms: [new Gather()], includeUsage: true }).stream,
    );
    const events = [];
    for await (const { raw } of probeStream(parts, 'end', { transforms: [new Gather()], includeUsage: true }).stream)
      events.push(raw);

    expect(eventsOf(byBatch.text)).toEqual(events);
    expect(events).toMatchObject([
      { choices: [{ finish_reason: 'stop' }] },
      { choices: [{ delta: { content: 'AB' } }] },
      { usage: USAGE },
    ]);
    expect(byBatch.text.endsWith(DONE)).toBe(true);
  });

  it('give every event the public name of the model where the upstream has another', async () => {
    const probe = probeStream([wholeStream('a').join('')], 'end', { model: 'public/name', includeUsage: true });

    const { text } = await readBatches(probe.stream);

    const events = eventsOf(text);
    expect(events).toHaveLength(4);
    expect(events.map(({ model }) => model)).toEqual(events.map(() => 'public/name'));
  });
});

describe('a chat stream by event', () => {
  it('gives typed chunks with the whole event beside them', async () => {
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{' } };
    const { stream } = probeStream([
      chunk({ role: 'assistant', content: null }),
      chunk({ tool_calls: [call] }) + chunk({}, 'stop') + DONE,
    ]);

    const events = [];
    for await (const piece of stream) events.push(piece);

    expect(events.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: null, toolCalls: null }, finishReason: null }],
      [{ index: 0, delta: { role: null, content: null, toolCalls: [call] }, finishReason: null }],
      [{ index: 0, delta: { role: null, content: null, toolCalls: null }, finishReason: 'stop' }],
    ]);
    expect(events[0]?.raw).toMatchObject({ id: 'chatcmpl-1', choices: [{ delta: { role: 'assistant' } }] });
  });

  it('ends with the same errors', async () => {
    const { stream } = probeStream([chunk({ content: 'a' }) + event({ error: { message: 'no', code: 400 } })]);

    await stream.next();

    await expect(stream.next()).rejects.toBeInstanceOf(PlatformError);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('keeps a refusal that came as the upstream was opened', async () => {
    const probe = probeStream([], 'end', { open: () => Promise.reject(new BadRequest('no', 'tools')) });

    await expect(probe.stream.next()).rejects.toMatchObject({ status: 400, message: 'no' });
    expect(probe.finished).toEqual([
      { usage: { promptTokens: 0, completionTokens: 0, precision: 'estimated' }, outcome: 'failed' },
    ]);
  });
});

/** Holds every text back until the end. */
class Gather implements ChunkTransform {
  private text = '';

  transform(piece: Record<string, unknown>): Record<string, unknown>[] {
    const [choice] = piece.choices as { delta?: { content?: string } }[];
    if (choice?.delta?.content === undefined) return [piece];
    this.text += choice.delta.content;
    return [];
  }

  flush(): Record<string, unknown>[] {
    return [{ choices: [{ index: 0, delta: { content: this.text.toUpperCase() } }] }];
  }
}
