import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { AnswerPieces } from '../calls/answer-pieces.js';
import { isKept } from '../calls/answer-texts.js';
import { isBase64 } from '../calls/encoded-texts.js';
import type { TextTransform } from '../calls/text-transform.js';
import { WholeAnswerTexts } from '../calls/whole-answer-texts.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';

/** Events whose pieces are sounds, as base64. */
const SOUNDS = /^response\.(output_)?audio\.(delta|done)$/;
const DELTA = /[._]delta$/;
const DONE = /[._]done$/;
/** Events that repeat a whole, tell that something begins, or how far it is; all others may have pieces. */
const WHOLE =
  /[._](added|cancelled|completed|created|done|failed|generating|in_progress|incomplete|interpreting|partial_image|queued|searching)$/;
/** Events that repeat the response as it began. */
const PROGRESS = new Set(['response.in_progress', 'response.queued']);
/** Events that end the response. */
const LAST = new Set(['response.cancelled', 'response.completed', 'response.failed', 'response.incomplete']);
/** Events behind which the texts of an output begin anew. */
const BEGINNINGS = /^response\.(output_item|content_part|reasoning_summary_part)\.added$/;

/** What is kept of a member of an event, in UTF-16 units. */
const MAX_KEPT = 1_024;

/** Pieces of texts that have begun. */
interface OpenEvent {
  readonly outputIndex: unknown;
  /** The event of the last pieces, without them. */
  readonly event: JsonObject;
}

/**
 * Changes the texts of a responses stream: the pieces as they come, and the events that repeat a whole text. What is held
 * back of a text goes out as one more piece before the event that ends it.
 */
export class ResponseTextTransform implements ChunkTransform {
  private readonly pieces: AnswerPieces;
  /** By the key of their pieces. */
  private readonly events = new Map<string, OpenEvent>();
  /** The keys of pieces that have ended, by their output. */
  private readonly endedKeys = new Map<unknown, string[]>();
  /** How many events were added so far: later ones move on by as many. */
  added = 0;

  /**
   * @param cooperation of the stream: lets other requests go first, and ends the work where nobody waits for it
   * @param repeated what responses repeat of the caller's request: it is no answer, and stays as it is
   */
  constructor(
    private readonly textTransform: TextTransform,
    private readonly cooperation?: CooperativeYield,
    private readonly repeated: JsonObject = {},
  ) {
    this.pieces = new AnswerPieces(textTransform);
  }

  async transform(event: JsonObject): Promise<JsonObject[]> {
    const type = String(event.type);
    if (SOUNDS.test(type) && !('transcript' in event)) {
      this.textTransform.checkUnreadable?.('output');
      const { delta, ...others } = event;
      if (typeof delta === 'string' && isBase64(delta)) {
        const whole = new WholeAnswerTexts(this.textTransform, this.cooperation);
        await whole.transformObject(others);
        return [this.renumbered({ ...others, delta: await whole.transformEncoded(delta) })];
      }
    }
    if (event.delta !== undefined || !WHOLE.test(type)) return [await this.writePieces(type, event)];
    const rest = this.endTexts(type, event);
    const isRepeat = this.repeats(type, event);
    if (BEGINNINGS.test(type)) this.reopen(event);
    return [...rest, this.renumbered(await this.transformWhole(event, isRepeat))];
  }

  /** A changed copy of an event that tells a whole: what it has in it, other events tell again. */
  private async transformWhole(event: JsonObject, isRepeat: boolean): Promise<JsonObject> {
    const { response } = event;
    const repeated = Object.entries(this.repeated).filter(
      ([name, value]) => isJsonObject(response) && response[name] === value,
    );
    const blank = Object.fromEntries(repeated.map(([name]) => [name, null]));
    const changed = structuredClone(isJsonObject(response) ? { ...event, response: { ...response, ...blank } } : event);
    await new WholeAnswerTexts(this.textTransform, this.cooperation, isRepeat).transformObject(changed);
    if (isJsonObject(changed.response)) Object.assign(changed.response, Object.fromEntries(repeated));
    return changed;
  }

  flush(): JsonObject[] {
    return [];
  }

  private async writePieces(type: string, event: JsonObject): Promise<JsonObject> {
    const whole = new WholeAnswerTexts(this.textTransform, this.cooperation);
    const { delta, ...others } = event;
    const key = keyOf(type, event);
    if (delta === undefined) {
      await this.pieces.transformPieces(key, others, whole);
    } else if (typeof delta === 'string') {
      const format = type.includes('arguments') ? 'json' : 'text';
      event.delta = await this.pieces.write(key, ['delta'], delta, whole, format);
      await whole.transformObject(others);
    } else {
      const pieces = { delta };
      await this.pieces.transformPieces(key, pieces, whole);
      event.delta = pieces.delta;
      await whole.transformObject(others);
    }
    if (this.pieces.isOpen(key)) this.events.set(key, { outputIndex: event.output_index, event: keptOf(others) });
    return this.renumbered(delta === undefined ? others : { ...others, delta: event.delta });
  }

  /** Ends the texts that an event ends: its own, those of its item, or all of them where the response ends. */
  private endTexts(type: string, event: JsonObject): JsonObject[] {
    const ownKey = DONE.test(type) ? keyOf(type, event) : undefined;
    const endsItem = type === 'response.output_item.done';
    const endsAll = LAST.has(type);
    const events: JsonObject[] = [];
    for (const [key, { event: piece, outputIndex }] of this.events) {
      const isOfItem = endsItem && outputIndex === event.output_index;
      if (key !== ownKey && !isOfItem && !endsAll) continue;
      this.events.delete(key);
      this.endedKeys.set(outputIndex, [...(this.endedKeys.get(outputIndex) ?? []), key]);
      const more: JsonObject = { ...piece, ...this.numberBefore(event) };
      if (!this.pieces.end(key, more)) continue;
      events.push(more);
      this.added += 1;
    }
    return events;
  }

  /** Whether an event tells again what pieces have told: of its output, or of the whole response where that ends. */
  private repeats(type: string, { output_index: outputIndex }: JsonObject): boolean {
    if (LAST.has(type)) return this.endedKeys.size > 0;
    return PROGRESS.has(type) || (DONE.test(type) && this.endedKeys.has(outputIndex));
  }

  /** Another item, or another part of one, may have the place of one that has ended. */
  private reopen({ output_index: outputIndex }: JsonObject): void {
    for (const key of this.endedKeys.get(outputIndex) ?? []) this.pieces.reopen(key);
    this.endedKeys.delete(outputIndex);
  }

  private numberBefore({ sequence_number: number }: JsonObject): JsonObject {
    return typeof number === 'number' ? { sequence_number: number + this.added } : {};
  }

  private renumbered(event: JsonObject): JsonObject {
    return this.added === 0 ? event : { ...event, ...this.numberBefore(event) };
  }
}

/** What one more event of the same pieces has of the last one. */
function keptOf(event: JsonObject): JsonObject {
  const members = Object.entries(event).filter(([name, value]) => name === 'logprobs' || isKept(name, value));
  return Object.fromEntries(members.filter(([, value]) => !isLong(value)));
}

/** Whether a value is too long to be kept for each text that is open. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > MAX_KEPT;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > MAX_KEPT;
}

/** What tells texts apart. Some servers give an item another id in each event, so that its place says more. */
function keyOf(type: string, event: JsonObject): string {
  const item = event.output_index ?? event.item_id;
  return JSON.stringify([type.replace(DONE, '').replace(DELTA, ''), item, event.content_index, event.summary_index]);
}
