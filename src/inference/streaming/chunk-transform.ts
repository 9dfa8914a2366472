import type { JsonObject } from '../../platform/json/json-object.js';

/**
 * A step that the events of one answer pass through, in order. It is made for one call and may keep state, such as text
 * that waits for its continuation. An answer without transforms is relayed as bytes.
 */
export interface ChunkTransform {
  /** What takes the place of a chunk; an empty list holds it back. The chunk may be changed in place. */
  transform(chunk: JsonObject): JsonObject[] | Promise<JsonObject[]>;
  /** What was held back, when the answer is whole. */
  flush(): JsonObject[];
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
