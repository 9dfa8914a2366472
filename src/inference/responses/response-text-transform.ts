import type { JsonObject } from '../../platform/json/json-object.js';
import { transformAnswer } from '../calls/answer-texts.js';
import type { AnswerText, TextFormat, TextTransform } from '../calls/text-transform.js';
import type { ChunkTransform } from '../streaming/chunk-transform.js';

/** What tells the texts of a response apart. */
const PLACE = ['item_id', 'output_index', 'content_index', 'summary_index'] as const;
/** Events whose pieces are sounds, as base64. */
const SOUNDS = new Set(['response.audio.delta', 'response.output_audio.delta']);
const DELTA = '.delta';
const DONE = '.done';

/** One text that has begun. */
interface OpenText {
  readonly answer: AnswerText;
  /** The event of its last piece, without the piece. */
  readonly event: JsonObject;
}

/**
 * Changes the texts of a responses stream: the pieces as they come, and the events that repeat a whole text. What is held
 * back of a text goes out as one more piece before the event that ends it.
 */
export class ResponseTextTransform implements ChunkTransform {
  private readonly openTexts = new Map<string, OpenText>();
  /** How many events were added so far: later ones move on by as many. */
  private added = 0;

  constructor(private readonly textTransform: TextTransform) {}

  async transform(event: JsonObject): Promise<JsonObject[]> {
    const type = String(event.type);
    if (SOUNDS.has(type)) {
      this.textTransform.checkUnreadable?.('output');
      return [this.renumbered(event)];
    }
    if (type.endsWith(DELTA) && typeof event.delta === 'string') return [this.writePiece(type, event, event.delta)];
    const rest = this.endTexts(type, event);
    await transformAnswer(event, this.textTransform);
    return [...rest, this.renumbered(event)];
  }

  flush(): JsonObject[] {
    return [];
  }

  private writePiece(type: string, event: JsonObject, piece: string): JsonObject {
    const { delta: _delta, logprobs, ...place } = event;
    const key = keyOf(type, event);
    const answer = this.openTexts.get(key)?.answer ?? this.textTransform.beginAnswer(formatOf(type));
    // They tell the texts token by token, as the model wrote them.
    const emptied = logprobs === undefined ? {} : { logprobs: [] };
    this.openTexts.set(key, { answer, event: { ...place, ...emptied } });
    return this.renumbered({ ...event, ...emptied, delta: answer.write(piece) });
  }

  /** Ends the texts that an event ends: its own, those of its item, or all of them where the response ends. */
  private endTexts(type: string, event: JsonObject): JsonObject[] {
    const ownKey = keyOf(type.endsWith(DONE) ? type.slice(0, -DONE.length) + DELTA : type, event);
    const endsItem = type === 'response.output_item.done';
    const endsAll = event.response !== undefined;
    const events: JsonObject[] = [];
    for (const [key, { answer, event: piece }] of this.openTexts) {
      const isOfItem = endsItem && piece.output_index === event.output_index;
      if (key !== ownKey && !isOfItem && !endsAll) continue;
      this.openTexts.delete(key);
      const delta = answer.end();
      if (delta === '') continue;
      events.push({ ...piece, delta, ...this.numberBefore(event) });
      this.added += 1;
    }
    return events;
  }

  private numberBefore({ sequence_number: number }: JsonObject): JsonObject {
    return typeof number === 'number' ? { sequence_number: number + this.added } : {};
  }

  private renumbered(event: JsonObject): JsonObject {
    return this.added === 0 ? event : { ...event, ...this.numberBefore(event) };
  }
}

function keyOf(type: string, event: JsonObject): string {
  return JSON.stringify([type, ...PLACE.map((name) => event[name])]);
}

/** What the pieces of events of a type are written in. */
function formatOf(type: string): TextFormat {
  return type.includes('arguments') ? 'json' : 'text';
}
