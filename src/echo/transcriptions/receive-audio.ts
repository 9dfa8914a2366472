import { createHash } from 'node:crypto';
import { PayloadTooLarge } from '../../errors.js';
import type { StoredFile, Upload } from '../../graph/upload.js';
import type { ScratchFolder } from '../../platform/scratch/scratch-folder.js';

/** An audio file that is there for as long as it is worked on. */
export interface ReceivedAudio extends StoredFile {
  readonly path: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

/** Where it goes. */
export interface ReceiveOptions {
  readonly folder: Pick<ScratchFolder, 'write'>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Receives the one file of a request, and the fields beside it.
 * @throws PayloadTooLarge, as `ScratchFolder.write` and as `Upload.receive` do
 */
export async function receiveAudio(
  upload: Upload,
  { folder, maxBytes, signal }: ReceiveOptions,
): Promise<{ readonly audio: ReceivedAudio; readonly fields: ReadonlyMap<string, string> }> {
  const { files, fields } = await upload.receive(async ({ filename, bytes, mostBytes }): Promise<ReceivedAudio> => {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        sizeBytes += chunk.length;
        if (sizeBytes > maxBytes) throw new PayloadTooLarge(maxBytes, 'The file');
        hash.update(chunk);
        yield chunk;
      }
    };
    const expectedBytes = mostBytes && Math.min(mostBytes, maxBytes);
    const path = await folder.write('received', counted(), { expectedBytes, signal });
    return { path, filename, sizeBytes, sha256: hash.digest('hex') };
  });
  return { audio: files[0] as ReceivedAudio, fields };
}
