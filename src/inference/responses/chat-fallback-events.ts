import type { PlatformError } from '../../errors.js';
import type { MeteredUsage } from '../../metering/metering.types.js';
import { ChatEvents } from '../choices/chat-events.js';
import {
  callItem,
  endedResponse,
  isText,
  PARTS,
  startedResponse,
  textItem,
  textPart,
} from './chat-fallback-response.js';
import type { PartType } from './chat-fallback-response.js';
import { objectsOf } from '../json.types.js';
import type { JsonObject } from '../json.types.js';
import type { NamedEvents, ToPublic } from './response-dialect.js';
import { toNamedFrame } from './response-frames.js';

/** An output item that grows. */
interface OpenItem {
  readonly index: number;
  readonly item: JsonObject;
  /** What its text is; a call of a tool has none. */
  readonly part?: PartType;
  text: string;
}

/** The events of a responses stream, made from the chunks of a chat stream. */
export class ChatFallbackEvents implements NamedEvents {
  readonly endMark = Buffer.alloc(0);
  private readonly chat = new ChatEvents();
  private readonly items = new Map<string, OpenItem>();
  private started = false;
  private closed = false;
  private finishReason: unknown;
  private sequence = 0;

  constructor(
    private readonly request: JsonObject,
    private readonly toPublic: ToPublic,
  ) {}

  get ending(): 'whole' | PlatformError | undefined {
    return this.chat.ending;
  }

  get usage(): MeteredUsage | null {
    return this.chat.usage;
  }

  meet(): void {
    // Every chat stream is read as objects.
  }

  relay(block: Buffer): Buffer {
    return Buffer.concat(this.parse(block).map(toNamedFrame));
  }

  parse(block: Buffer): JsonObject[] {
    const events = this.chat.parse(block).flatMap((chunk) => this.translate(chunk));
    if (this.ending !== 'whole' || this.closed) return events;
    this.closed = true;
    return [...events, ...this.start(), ...[...this.items.values()].flatMap((item) => this.close(item))];
  }

  last(usage: MeteredUsage): JsonObject {
    const output = [...this.items.values()].map(({ item }) => item);
    const response = endedResponse(this.request, this.finishReason, output);
    const type = `response.${String(response.status)}`;
    return this.event(type, { response: this.toPublic({ ...response, usage: this.chat.usageChunk?.usage }, usage) });
  }

  private translate({ choices }: JsonObject): JsonObject[] {
    const [{ delta, finish_reason: reason } = {} as JsonObject] = objectsOf(choices);
    this.finishReason = reason ?? this.finishReason;
    const [piece = {}] = objectsOf([delta]);
    return [
      ...this.start(),
      ...PARTS.flatMap(([field, part]) => (isText(piece[field]) ? this.growPart(part, piece[field]) : [])),
      ...objectsOf(piece.tool_calls).flatMap((call, position) => this.growCall(call, position)),
    ];
  }

  private start(): JsonObject[] {
    if (this.started) return [];
    this.started = true;
    const response = this.toPublic(startedResponse(this.request));
    return ['response.created', 'response.in_progress'].map((type) => this.event(type, { response }));
  }

  private growPart(part: PartType, delta: string): JsonObject[] {
    const known = this.items.get(part);
    const open = known ?? this.add(part, textItem(part, 'in_progress', []), part);
    open.text += delta;
    const place = { item_id: open.item.id, output_index: open.index, content_index: 0 };
    return [
      ...(known
        ? []
        : [this.added(open), this.event('response.content_part.added', { ...place, part: textPart(part, '') })]),
      this.event(`response.${part}.delta`, { ...place, delta, ...(part === 'output_text' && { logprobs: [] }) }),
    ];
  }

  private growCall(call: JsonObject, position: number): JsonObject[] {
    const key = `call ${String(call.index ?? position)}`;
    const [{ arguments: delta } = {} as JsonObject] = objectsOf([call.function]);
    const known = this.items.get(key);
    const open = known ?? this.add(key, { ...callItem('in_progress', call), arguments: '' });
    const events = known ? [] : [this.added(open)];
    if (!isText(delta)) return events;
    open.text += delta;
    const place = { item_id: open.item.id, output_index: open.index };
    return [...events, this.event('response.function_call_arguments.delta', { ...place, delta })];
  }

  private add(key: string, item: JsonObject, part?: PartType): OpenItem {
    const open = { index: this.items.size, item, part, text: '' };
    this.items.set(key, open);
    return open;
  }

  /** A copy: the item itself grows on. */
  private added({ index, item }: OpenItem): JsonObject {
    return this.event('response.output_item.added', { output_index: index, item: { ...item } });
  }

  private close({ index, item, part, text }: OpenItem): JsonObject[] {
    item.status = 'completed';
    const place = { item_id: item.id, output_index: index };
    const itemDone = (): JsonObject => this.event('response.output_item.done', { output_index: index, item });
    if (part === undefined) {
      item.arguments = text;
      const done = { ...place, name: item.name, arguments: text };
      return [this.event('response.function_call_arguments.done', done), itemDone()];
    }
    const content = textPart(part, text);
    item.content = [content];
    const done = part === 'refusal' ? { refusal: text } : { text, ...(part === 'output_text' && { logprobs: [] }) };
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
