/** Larger responses are not stored. */
const MAX_STORED_BYTES = 1024 * 1024;

/** A response as it was sent the first time. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Collects the body of a response for as long as it is small enough to be stored: 1 MiB. */
export class ResponseBuffer {
  private readonly parts: Buffer[] = [];
  private size = 0;

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.isFull) this.parts.length = 0;
    else this.parts.push(Buffer.from(bytes));
  }

  /** Whether more came than is stored. */
  get isFull(): boolean {
    return this.size > MAX_STORED_BYTES;
  }

  /** The whole body; undefined where it was too large. */
  get body(): Buffer | undefined {
    return this.isFull ? undefined : Buffer.concat(this.parts);
  }
}

/** A JSON response to be stored; undefined where it is too large. */
export function toStoredJson(
  status: number,
  headers: Readonly<Record<string, string>>,
  value: unknown,
): StoredResponse | undefined {
  const buffer = new ResponseBuffer();
  if (status !== 204) buffer.add(Buffer.from(JSON.stringify(value)));
  const { body } = buffer;
  const type: Record<string, string> = status === 204 ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return body && { status, headers: { ...type, ...headers }, body };
}
