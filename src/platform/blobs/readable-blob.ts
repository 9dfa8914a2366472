/** A file that somebody may have, as it is sent. */
export interface ReadableBlob {
  readonly mediaType: string;
  readonly filename: string;
  /** Undefined: it is made while it is sent. */
  readonly sizeBytes?: number;
  /** In hexadecimal digits; undefined as `sizeBytes`. */
  readonly sha256?: string;
  /**
   * Opens its bytes, all or from `start` up to but not including `end`; undefined where they are gone.
   * @throws Unavailable
   */
  open(range: {
    readonly start?: number;
    readonly end?: number;
    readonly signal: AbortSignal;
  }): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** Finds a file that a user may have now; undefined where there is none, or it is none of the user's business. */
export type BlobReader = (
  user: { readonly tenantId: string; readonly userId: string },
  key: string,
) => Promise<ReadableBlob | undefined>;
