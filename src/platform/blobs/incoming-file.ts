/** One file of a request, while it comes. */
export interface IncomingFile {
  /** As `toFileName` makes it of what the client calls it; empty where it has no name. */
  readonly filename: string;
  /** Its bytes, once; whoever leaves them unread ends the upload. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** More bytes than these it cannot have; undefined where the client does not say. */
  readonly mostBytes: number | undefined;
}
