import type { JsonObject } from '../../platform/json/json-object.js';

/** Passes frames on that differ from each other in their text alone, without parsing them. */
export interface TextFrames {
  /** What may be sent of the frames that a block begins with, and where the first is that has to be parsed. */
  relay(block: Buffer): { readonly sent: readonly Buffer[]; readonly end: number };
  /** Whether a block has frames that may be like that. */
  mayHave(block: Buffer): boolean;
  /** Takes what the next frames may be like from one of them. @returns whether it is one whose text alone may change */
  learn(frame: Buffer): boolean;
}

/**
 * A step that the events of one answer pass through, in order. It is made for one call and may keep state, such as text
 * that waits for its continuation. An answer without transforms is relayed as bytes.
 */
export interface ChunkTransform {
  /** What takes the place of a chunk; an empty list holds it back. The chunk may be changed in place. */
  transform(chunk: JsonObject): JsonObject[] | Promise<JsonObject[]>;
  /** What was held back, when the answer is whole. */
  flush(): JsonObject[] | Promise<JsonObject[]>;
  /** Does the same by batch while frames differ in their text alone; absent where each of them has to be parsed. */
  readonly textFrames?: TextFrames | undefined;
}

/** Gives every chunk the public name of the model. */
export class ModelNameTransform implements ChunkTransform {
  constructor(private readonly model: string) {}

  transform(chunk: JsonObject): JsonObject[] {
    chunk.model = this.model;
    return [chunk];
  }

  flush(): JsonObject[] {
    return [];
  }
}
