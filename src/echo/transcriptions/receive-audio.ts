import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PayloadTooLarge } from '../../errors.js';
import type { StoredFile, Upload } from '../../graph/upload.js';

/** An audio file that is there for as long as it is worked on. */
export interface ReceivedAudio extends StoredFile {
  readonly path: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

/** Where it goes. */
export interface ReceiveOptions {
  /** A folder of `platform/scratch/`. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Receives the one file of a request, and the fields beside it.
 * @throws PayloadTooLarge, and as `Upload.receive` does
 */
export async function receiveAudio(
  upload: Upload,
  { folder, maxBytes, signal }: ReceiveOptions,
): Promise<{ readonly audio: ReceivedAudio; readonly fields: ReadonlyMap<string, string> }> {
  const { files, fields } = await upload.receive(async ({ filename, bytes }): Promise<ReceivedAudio> => {
    const path = join(folder, 'received');
    const hash = createHash('sha256');
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      let size = 0;
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > maxBytes) throw new PayloadTooLarge(maxBytes, 'The file');
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return { path, filename, sizeBytes: (await stat(path)).size, sha256: hash.digest('hex') };
  });
  return { audio: files[0] as ReceivedAudio, fields };
}
