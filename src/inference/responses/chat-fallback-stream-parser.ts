import { BadUpstream } from '../../errors.js';
import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { indexOf } from '../calls/answer-pieces.js';
import { ChunkStreamParser } from '../completions/chunk-stream-codec.js';
import {
  argumentsOf,
  callItem,
  endedResponse,
  isCut,
  isText,
  logprobsOf,
  PARTS,
  textItem,
  textPart,
} from './chat-fallback-response.js';
import type { PartType } from './chat-fallback-response.js';
import type { FallbackTools } from './chat-fallback-tools.js';
import { objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import type { NamedStreamParser, ToPublic } from './named-stream-parser.js';
import { toNamedFrame } from './response-frames.js';

/** Of an answer, in UTF-16 units of its texts and of the JSON of all else: the last event repeats all of it. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** What a piece takes beside its text, as so many characters: it may be short. */
const PIECE_CHARACTERS = 16;
/** Output items of an answer. */
const MAX_ITEMS = 1_000;

/** An output item that grows. */
interface OpenItem {
  readonly index: number;
  readonly item: JsonObject;
  /** What its text is; a call of a tool has none. */
  readonly part?: PartType;
  text: string;
  /** Of the tokens of the text, where the request asks for them. */
  readonly logprobs: JsonObject[];
}

/** The events of a responses stream, made from the chunks of a chat stream. */
export class ChatFallbackStreamParser implements NamedStreamParser {
  readonly endMark = Buffer.alloc(0);
  private readonly chat = new ChunkStreamParser(true);
  private readonly items = new Map<string, OpenItem>();
  private started = false;
  private closed = false;
  private finishReason: unknown;
  private sequence = 0;
  private characters = 0;

  /** @param tools of the request */
  constructor(
    private readonly toPublic: ToPublic,
    private readonly tools: FallbackTools,
  ) {}

  get ending(): 'whole' | PlatformError | undefined {
    return this.chat.ending;
  }

  get isAnswered(): boolean {
    return this.chat.isAnswered;
  }

  get usage(): MeteredUsage | null {
    return this.chat.usage;
  }

  get nextNumber(): number {
    return this.sequence;
  }

  onFirstChunk(): void {
    // Every chat stream is read as objects.
  }

  relay(block: Buffer): Buffer {
    return Buffer.concat(this.parse(block).map(toNamedFrame));
  }

  parse(block: Buffer): JsonObject[] {
    const events = this.chat.parse(block).flatMap((chunk) => this.translate(chunk));
    if (this.ending !== 'whole' || this.closed) return events;
    this.closed = true;
    const last = isCut(this.finishReason) ? this.items.size - 1 : -1;
    for (const { index, item } of this.items.values()) item.status = index === last ? 'incomplete' : 'completed';
    return [...events, ...this.start(), ...[...this.items.values()].flatMap((item) => this.close(item))];
  }

  buildLastEvent(usage: MeteredUsage): JsonObject {
    const output = [...this.items.values()].map(({ item }) => item);
    const response = endedResponse(this.chat.usageChunk ?? {}, this.finishReason, output);
    return this.event(`response.${String(response.status)}`, { response: this.toPublic(response, usage) });
  }

  private translate({ choices }: JsonObject): JsonObject[] {
    const [choice = {}] = objectsOf(choices);
    this.finishReason = choice.finish_reason ?? this.finishReason;
    const [piece = {}] = objectsOf([choice.delta]);
    return [
      ...this.start(),
      ...PARTS.flatMap(([field, part]) => (isText(piece[field]) ? this.appendPart(part, piece[field], choice) : [])),
      ...objectsOf(piece.tool_calls).flatMap((call, position) => this.appendToolCall(call, position)),
    ];
  }

  private start(): JsonObject[] {
    if (this.started) return [];
    this.started = true;
    const response = this.toPublic({ status: 'in_progress', output: [] });
    return ['response.created', 'response.in_progress'].map((type) => this.event(type, { response }));
  }

  private appendPart(part: PartType, delta: string, choice: JsonObject): JsonObject[] {
    const known = this.items.get(part);
    const open = known ?? this.add(part, textItem(part, 'in_progress', []), part);
    const logprobs = part === 'output_text' ? logprobsOf(choice) : [];
    this.grow(open, delta);
    if (logprobs.length > 0) this.count(JSON.stringify(logprobs).length);
    open.logprobs.push(...logprobs);
    const place = { item_id: open.item.id, output_index: open.index, content_index: 0 };
    return [
      ...(known
        ? []
        : [this.added(open), this.event('response.content_part.added', { ...place, part: textPart(part, '') })]),
      this.event(`response.${part}.delta`, { ...place, delta, ...(part === 'output_text' && { logprobs }) }),
    ];
  }

  private appendToolCall(call: JsonObject, position: number): JsonObject[] {
    const key = `call ${indexOf(call, position)}`;
    const delta = argumentsOf(call);
    const known = this.items.get(key);
    const open = known ?? this.add(key, { ...callItem('in_progress', call, this.tools), arguments: '' });
    const events = known ? [] : [this.added(open)];
    if (!isText(delta)) return events;
    this.grow(open, delta);
    const place = { item_id: open.item.id, output_index: open.index };
    return [...events, this.event('response.function_call_arguments.delta', { ...place, delta })];
  }

  private grow(open: OpenItem, delta: string): void {
    this.count(delta.length + PIECE_CHARACTERS);
    open.text += delta;
  }

  /** @throws BadUpstream where the answer is longer than any */
  private count(characters: number): void {
    this.characters += characters;
    if (this.characters > MAX_CHARACTERS) throw new BadUpstream('The model server writes an answer that is too long.');
  }

  private add(key: string, item: JsonObject, part?: PartType): OpenItem {
    if (this.items.size >= MAX_ITEMS) throw new BadUpstream('The model server writes an answer of too many items.');
    this.count(JSON.stringify(item).length);
    const open = { index: this.items.size, item, part, text: '', logprobs: [] };
    this.items.set(key, open);
    return open;
  }

  /** A copy: the item itself grows on. */
  private added({ index, item }: OpenItem): JsonObject {
    return this.event('response.output_item.added', { output_index: index, item: { ...item } });
  }

  private close({ index, item, part, text, logprobs }: OpenItem): JsonObject[] {
    const place = { item_id: item.id, output_index: index };
    const itemDone = (): JsonObject => this.event('response.output_item.done', { output_index: index, item });
    if (part === undefined) {
      item.arguments = text;
      const done = { ...place, name: item.name, arguments: text };
      return [this.event('response.function_call_arguments.done', done), itemDone()];
    }
    const content = textPart(part, text, logprobs);
    item.content = [content];
    const done = part === 'refusal' ? { refusal: text } : { text, ...(part === 'output_text' && { logprobs }) };
    return [
      this.event(`response.${part}.done`, { ...place, content_index: 0, ...done }),
      this.event('response.content_part.done', { ...place, content_index: 0, part: content }),
      itemDone(),
    ];
  }

  private event(type: string, members: JsonObject): JsonObject {
    const event = { type, sequence_number: this.sequence, ...members };
    this.sequence += 1;
    return event;
  }
}
