import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import type { Caller } from '../../../src/access/caller.js';
import type { AnswerOptions, Backend, ServedModel } from '../../../src/inference/backends/backend.js';
import { RoutePlan } from '../../../src/inference/backends/routing/route-planner.js';
import type { TextTransform } from '../../../src/inference/calls/text-transform.js';
import { MeteredCall } from '../../../src/inference/calls/metered-call.js';
import { MeteredStream } from '../../../src/inference/streaming/metered-stream.js';
import type { StreamCodec } from '../../../src/inference/streaming/stream-codec.js';
import type { ChunkTransform } from '../../../src/inference/streaming/chunk-transform.js';
import { AnswerStream } from '../../../src/inference/streaming/answer-stream.js';
import { CHAT } from '../../../src/inference/completions/chat.operation.js';
import type { ChatCompletionChunk } from '../../../src/inference/completions/chat.types.js';
import type { MeteredUsage, Outcome } from '../../../src/metering/metering.types.js';
import type { ByteSource } from '../../../src/platform/net/egress.js';
import { BadUpstream } from '../../../src/errors.js';

const silentLog = pino({ level: 'silent' });

/** How a byte source ends after its last part. */
export type Ending = 'end' | 'break' | 'hang';

/** Bytes that a test hands out read by read. */
export class ScriptedBytes implements ByteSource {
  cancelled = false;
  released = false;
  private stopHanging: (() => void) | undefined;

  constructor(
    private readonly parts: Uint8Array[],
    private readonly ending: Ending = 'end',
  ) {}

  async next(): Promise<Buffer | undefined> {
    const part = this.parts.shift();
    if (part) return Buffer.from(part.buffer as ArrayBuffer, part.byteOffset, part.length);
    if (this.ending === 'break') throw new BadUpstream('The connection broke.');
    if (this.ending === 'hang' && !this.cancelled) await new Promise<void>((resolve) => (this.stopHanging = resolve));
    if (this.cancelled) throw new BadUpstream('The answer was given up.');
    return undefined;
  }

  cancel(): void {
    this.cancelled = true;
    this.stopHanging?.();
  }

  release(): void {
    this.released = true;
  }
}

/** What a probe may set. */
export interface ProbeOptions {
  /** Default `scripted`. */
  readonly model?: string;
  readonly includeUsage?: boolean;
  readonly transforms?: readonly ChunkTransform[];
  /** Changes what the model writes. */
  readonly textTransform?: TextTransform;
  readonly signal?: AbortSignal;
  /** Runs in place of opening the source. */
  readonly open?: (signal: AbortSignal) => Promise<ByteSource>;
  /** Awaited before the record is begun. */
  readonly beginning?: Promise<void>;
  /** Runs before the record is finished. */
  readonly finishing?: () => Promise<void>;
  /** How long there may be no event. */
  readonly idleMilliseconds?: number;
}

/** A chat stream over scripted bytes, with a record of how it was settled. */
export interface StreamProbe {
  readonly stream: AnswerStream<ChatCompletionChunk>;
  readonly source: ScriptedBytes;
  readonly finished: { readonly usage: MeteredUsage; readonly outcome: Outcome }[];
  /** How often the record was begun and the upstream opened. */
  readonly counts: { begun: number; opened: number };
}

/** Makes a chat stream over parts that arrive one after another. */
export function probeStream(
  parts: (string | Uint8Array)[],
  ending: Ending = 'end',
  options: ProbeOptions = {},
): StreamProbe {
  const source = new ScriptedBytes(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    ending,
  );
  const finished: StreamProbe['finished'] = [];
  const counts = { begun: 0, opened: 0 };
  const request = {
    model: 'scripted',
    messages: [{ role: 'user', content: 'How are you today?' }],
    ...(options.includeUsage && { stream_options: { include_usage: true } }),
  };
  const { signal = new AbortController().signal, idleMilliseconds } = options;
  const recorder = {
    begin: async () => {
      counts.begun += 1;
      await options.beginning;
      return {
        id: 'call_1',
        finish: async (usage: MeteredUsage, outcome: Outcome) => {
          finished.push({ usage, outcome });
          await options.finishing?.();
        },
      };
    },
  };
  const backend = {
    id: 'scripted',
    answerStream: (_operation: string, _body: object, call: AnswerOptions) => {
      counts.opened += 1;
      return options.open?.(call.signal) ?? Promise.resolve(source);
    },
  } as unknown as Backend;
  const model = {
    id: options.model ?? 'scripted',
    upstream: 'scripted',
    capabilities: ['chat'],
  } as unknown as ServedModel;
  const route = { backend, model };
  const context = { serverRequestId: 'request', signal };
  const call = new MeteredCall({
    caller: { userId: 'usr_1' } as unknown as Caller,
    area: 'chat',
    operation: 'chat',
    request,
    context,
    plan: new RoutePlan([route], { operation: 'chat' }),
    recorder,
  });
  const exchange = CHAT.create(request, route);
  const transforms = { transforms: options.transforms ?? [] };
  const codec: StreamCodec<ChatCompletionChunk> = Object.assign(exchange.createCodec(), transforms);
  const upstream = new MeteredStream({ call, exchange, codec, signal, log: silentLog, idleMilliseconds });
  const stream = new AnswerStream(upstream, codec, options.textTransform, signal);
  return { stream, source, finished, counts };
}

/** What came out of a stream until its end or its error. */
export interface Outcomes {
  readonly batches: string[];
  readonly text: string;
  readonly error: unknown;
}

/** Reads a stream by batch to its end. */
export async function readBatches(stream: AnswerStream<unknown>): Promise<Outcomes> {
  const batches: string[] = [];
  let error: unknown;
  try {
    for await (const batch of stream.batches()) batches.push(Buffer.from(batch).toString('utf8'));
  } catch (thrown) {
    error = thrown;
  }
  return { batches, text: batches.join(''), error };
}

/** The JSON of every event of an SSE text, the end mark left out. */
export function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '' && frame !== 'data: [DONE]')
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as Record<string, unknown>);
}

/** The body of a recorded answer of llama.cpp's server. */
export function recordedBody(name: string): Buffer {
  const file = readFileSync(new URL(`../../fixtures/llama-server/${name}.txt`, import.meta.url));
  return file.subarray(file.indexOf('\r\n\r\n') + 4);
}
