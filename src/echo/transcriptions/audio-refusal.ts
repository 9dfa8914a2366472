import { BadRequest, Conflict, PlatformError, Unavailable, UnsupportedMediaType } from '../../errors.js';
import { AudioFailed } from '../../platform/audio/audio-failed.js';

const FILE = 'file';

/** What a client is told of audio that cannot be decoded; other errors stay as they are. */
export function toAudioRefusal(error: unknown): unknown {
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
      return new BadRequest(message, FILE);
  }
}
