import type { IncomingHttpHeaders } from 'node:http';
import { UnsupportedMediaType } from '../errors.js';
import type { FileParts } from './endpoint.js';

/** How the files of a request are received. */
export interface UploadOptions {
  /** What may come. */
  readonly parts: FileParts;
  /** Ends the upload. */
  readonly signal: AbortSignal;
  /** Told what came, when all has: names, hashes and texts. It throws where the request is not to be done. */
  onReceived(content: readonly unknown[]): Promise<void>;
}

/** @throws UnsupportedMediaType for a body that was compressed, or otherwise changed, on its way */
export function requireIdentity(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new UnsupportedMediaType('Send the body as it is, without a content encoding.');
}
