import type { ByteSource } from '../../platform/net/egress.js';
import { FrameBuffer } from '../streaming/event-frames.js';
import { ChunkStreamParser } from './chunk-stream-codec.js';

/**
 * A stream of chunks, once the first of it has come: some servers begin a stream before they look at the request, and
 * refuse it by its first event.
 * @throws PlatformError where the first event is an error, as if the server had refused the request at once
 */
export async function requireNoRefusal(source: ByteSource): Promise<ByteSource> {
  let first = await source.next();
  const parser = new ChunkStreamParser(true);
  parser.parse((first && new FrameBuffer().push(first)) ?? Buffer.alloc(0));
  if (parser.ending && parser.ending !== 'whole') {
    source.cancel();
    throw parser.ending;
  }
  const next = async (): Promise<Buffer | undefined> => {
    const bytes = first ?? (await source.next());
    first = undefined;
    return bytes;
  };
  return { next, cancel: (ending) => source.cancel(ending), release: () => source.release() };
}
