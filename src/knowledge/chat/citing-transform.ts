import { BadUpstream } from '../../errors.js';
import { isEnd } from '../../inference/domain.js';
import type { ChunkTransform } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { isJsonObject, objectsOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { CitedText } from './cited-text.js';
import type { CitationVerifier } from './citation-verifier.js';

/** As many as may be asked for. */
const MOST_CHOICES = 128;

/** Leaves the marks in the chunks of a chat that are true; the citations come in a last chunk. */
export class CitingTransform implements ChunkTransform {
  private readonly texts = new Map<unknown, CitedText>();
  private readonly cooperation: CooperativeYield;
  /** What all chunks have alike. */
  private kept: JsonObject = {};

  constructor(
    private readonly verifier: CitationVerifier,
    signal: AbortSignal,
  ) {
    this.cooperation = new CooperativeYield(signal);
  }

  async transform(chunk: JsonObject): Promise<JsonObject[]> {
    const { id, object, created, model } = chunk;
    this.kept = { id, object, created, model };
    // Those of the model server, which may search the web itself, are not checked.
    delete chunk.citations;
    const choices = objectsOf(chunk.choices);
    const before: JsonObject[] = [];
    let hasMore = choices.length === 0;
    for (const choice of choices) {
      const wasEmpty = isEmptyPiece(choice);
      await this.transformDelta(choice);
      if (isEnd(choice.finish_reason)) before.push(...(await this.endText(choice.index)));
      hasMore ||= wasEmpty || !isEmptyPiece(choice);
    }
    const made = hasMore ? [chunk] : [];
    return before.length === 0 ? made : [{ ...this.kept, choices: before }, ...made];
  }

  async flush(): Promise<JsonObject[]> {
    const choices: JsonObject[] = [];
    for (const index of this.texts.keys()) choices.push(...(await this.endText(index)));
    const rest = choices.length === 0 ? [] : [{ ...this.kept, choices }];
    return [...rest, { ...this.kept, choices: [], citations: this.verifier.citations }];
  }

  private async transformDelta(choice: JsonObject): Promise<void> {
    if (!isJsonObject(choice.delta)) return;
    const { content } = choice.delta;
    const text = this.textOf(choice.index);
    if (typeof content === 'string') choice.delta.content = await text.write(content);
    for (const part of objectsOf(content)) {
      if (typeof part.text === 'string') part.text = await text.write(part.text);
    }
    // They are those of a text that the client does not get.
    if (choice.logprobs) choice.logprobs = null;
  }

  /** The choice with what was held back of it; none where that is nothing. */
  private async endText(index: unknown): Promise<JsonObject[]> {
    const content = await this.textOf(index).end();
    return content === '' ? [] : [{ index, delta: { content }, finish_reason: null }];
  }

  private textOf(index: unknown): CitedText {
    const known = this.texts.get(index) ?? new CitedText(this.verifier, this.cooperation);
    this.texts.set(index, known);
    if (this.texts.size > MOST_CHOICES) throw new BadUpstream('The model server writes too many texts.');
    return known;
  }
}

/** Leaves the marks in a whole answer that are true, and adds the citations. @throws the reason of the signal */
export async function citeAnswer(
  answer: JsonObject,
  verifier: CitationVerifier,
  signal: AbortSignal,
): Promise<JsonObject> {
  const cooperation = new CooperativeYield(signal);
  const whole = async (text: string): Promise<string> => {
    const cited = new CitedText(verifier, cooperation);
    return (await cited.write(text)) + (await cited.end());
  };
  for (const choice of objectsOf(answer.choices)) {
    if (choice.logprobs) choice.logprobs = null;
    if (!isJsonObject(choice.message)) continue;
    const { content } = choice.message;
    if (typeof content === 'string') choice.message.content = await whole(content);
    for (const part of objectsOf(content)) if (typeof part.text === 'string') part.text = await whole(part.text);
  }
  return { ...answer, citations: verifier.citations };
}

/** Whether a piece says nothing, as one does whose text is held back. */
function isEmptyPiece({ delta, finish_reason: reason }: JsonObject): boolean {
  if (!isJsonObject(delta) || isEnd(reason)) return false;
  const [name, ...others] = Object.keys(delta);
  return others.length === 0 && name === 'content' && delta.content === '';
}
