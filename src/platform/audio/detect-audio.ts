import { fileTypeFromBuffer } from 'file-type';
import type { AudioType } from './audio.types.js';
import { parseWavFormat } from './wav/wav-format.js';

/** So much of a file's beginning tells what it is, in bytes. */
export const AUDIO_DETECTION_BYTES = 64 * 1024;

const MP4 = 'mov,mp4,m4a,3gp,3g2,mj2';
const MATROSKA = 'matroska,webm';

/** By the media types of file-type. */
const TYPES: Readonly<Record<string, AudioType>> = {
  'audio/mpeg': { mediaType: 'audio/mpeg', extension: 'mp3', demuxers: 'mp3' },
  'audio/mp4': { mediaType: 'audio/mp4', extension: 'm4a', demuxers: MP4 },
  'audio/x-m4a': { mediaType: 'audio/mp4', extension: 'm4a', demuxers: MP4 },
  'video/x-m4v': { mediaType: 'video/mp4', extension: 'mp4', demuxers: MP4 },
  'video/mp4': { mediaType: 'video/mp4', extension: 'mp4', demuxers: MP4 },
  'video/quicktime': { mediaType: 'video/quicktime', extension: 'mov', demuxers: MP4 },
  'video/3gpp': { mediaType: 'video/3gpp', extension: '3gp', demuxers: MP4 },
  'video/3gpp2': { mediaType: 'video/3gpp2', extension: '3g2', demuxers: MP4 },
  'audio/ogg': { mediaType: 'audio/ogg', extension: 'ogg', demuxers: 'ogg' },
  'audio/ogg; codecs=opus': { mediaType: 'audio/ogg', extension: 'ogg', demuxers: 'ogg' },
  'video/ogg': { mediaType: 'video/ogg', extension: 'ogg', demuxers: 'ogg' },
  'video/webm': { mediaType: 'video/webm', extension: 'webm', demuxers: MATROSKA },
  'video/matroska': { mediaType: 'video/matroska', extension: 'mkv', demuxers: MATROSKA },
  'audio/flac': { mediaType: 'audio/flac', extension: 'flac', demuxers: 'flac' },
  'audio/aac': { mediaType: 'audio/aac', extension: 'aac', demuxers: 'aac' },
  'audio/aiff': { mediaType: 'audio/aiff', extension: 'aiff', demuxers: 'aiff' },
  'audio/amr': { mediaType: 'audio/amr', extension: 'amr', demuxers: 'amr' },
  'audio/x-caf': { mediaType: 'audio/x-caf', extension: 'caf', demuxers: 'caf' },
  'audio/x-ms-asf': { mediaType: 'audio/x-ms-asf', extension: 'wma', demuxers: 'asf' },
};

const WAV: AudioType = { mediaType: 'audio/wav', extension: 'wav', demuxers: undefined };

/**
 * Tells by its content what audio, or video with audio, a file is; its name says nothing.
 * @param head its first bytes, AUDIO_DETECTION_BYTES of them where it has as many
 * @returns undefined: it is none that is read
 */
export async function detectAudio(head: Uint8Array): Promise<AudioType | undefined> {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, AUDIO_DETECTION_BYTES));
  if (/^(?:RIFF|RF64|BW64)[^]{4}WAVE/.test(bytes.toString('latin1', 0, 12))) {
    // Compressed samples in a WAV file are ffmpeg's.
    return hasOwnEncoding(bytes) ? WAV : { ...WAV, demuxers: 'wav' };
  }
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return found && Object.hasOwn(TYPES, found.mime) ? TYPES[found.mime] : undefined;
}

/** Also where the format stands further behind. */
function hasOwnEncoding(bytes: Buffer): boolean {
  for (let place = 12; place + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(place + 4);
    if (bytes.toString('latin1', place, place + 4) === 'fmt ') {
      return parseWavFormat(bytes.subarray(place + 8, place + 8 + size)) !== undefined;
    }
    place += 8 + size + (size % 2);
  }
  return true;
}
