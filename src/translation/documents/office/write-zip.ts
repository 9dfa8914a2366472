import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ArchiveEntry } from '../../../platform/extraction/office/zip-archive.js';

/**
 * Writes a zip file with the same entries in the same order, each read when it is its turn.
 * @throws what an entry throws
 */
export async function* writeZip(
  entries: readonly ArchiveEntry[],
  bytesOf: (name: string) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: unknown): void => void output.destroy(error as Error);
  zip.on('error', fail);
  for (const { name, isCompressed, modifiedAt: mtime } of entries) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name, { mtime });
    else
      zip.addReadStreamLazy(name, { mtime, compress: isCompressed }, (give) => {
        bytesOf(name).then((bytes) => {
          const stream = Readable.from(bytes, { objectMode: false });
          stream.on('error', fail);
          give(undefined, stream);
        }, fail);
      });
  }
  zip.end();
  zip.outputStream.pipe(output);
  yield* output as AsyncIterable<Uint8Array>;
}
