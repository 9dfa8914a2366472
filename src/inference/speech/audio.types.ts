/** A piece of a recording, in seconds from its start. */
export interface AudioSpan {
  readonly start: number;
  readonly end: number;
}

/** An audio file on this machine. */
export interface AudioFile {
  readonly path: string;
  /** As its content says, `audio/wav` for instance. */
  readonly mediaType: string;
  /** What a model server is told that it is called; its ending tells many servers the format. */
  readonly filename: string;
  readonly sizeBytes: number;
}

/** A voice that a model speaks with. */
export interface Voice {
  /** What `voice` of a request names it by. */
  readonly id: string;
  readonly name: string;
  /** BCP 47; null where it is not known. */
  readonly language: string | null;
}
