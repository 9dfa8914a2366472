import { BadRequest, Conflict, PlatformError, Unavailable, UnsupportedMediaType } from '../../errors.js';
import { AudioFailed } from '../../platform/audio/audio-failed.js';
import { systemCode } from '../../platform/operational-error.js';

const FILE = 'file';
/** What a disk says that is full. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** What a client is told of audio that cannot be decoded, or finds no room here; other errors stay as they are. */
export function toAudioRefusal(error: unknown): unknown {
  if (FULL.has(systemCode(error))) return new Unavailable('There is no room for the audio at the moment.', 30);
  if (!(error instanceof AudioFailed)) return error;
  const { reason, message } = error;
  switch (reason) {
    case 'unsupported_media_type':
      return new UnsupportedMediaType(message);
    case 'needs_ffmpeg':
      return new Conflict('capability_not_supported', message, FILE);
    case 'too_large':
    case 'timed_out':
    case 'out_of_memory':
      return new PlatformError(413, 'invalid_request_error', 'payload_too_large', message, { param: FILE });
    case 'interrupted':
      return new Unavailable(message);
    case 'malformed':
    case 'empty':
    case 'sample_rate':
      return new BadRequest(message, FILE);
  }
}
