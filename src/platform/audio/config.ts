import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { whole } from '../config/variables.js';

/** The processes that decode and encode audio. */
export const audioConfig = z
  .object({
    AUDIO_PROCESSES: whole(1, 64)
      .default(2)
      .describe('How many audio files are decoded at once, each in a process of its own; the others wait.'),
    AUDIO_SECONDS: whole(1, 86_400)
      .default(1_800)
      .describe('How long such a process may work on one file; two hours of audio take about a minute.'),
    AUDIO_MEMORY_MIB: whole(160, 65_536)
      .default(384)
      .describe('The memory that each may use, with the ffmpeg that it starts; it needs less than 192.'),
    AUDIO_MAX_HOURS: whole(1, 36)
      .default(24)
      .describe('The longest audio that is decoded; an hour takes 110 MiB of DATA_DIR while it is worked on.'),
    AUDIO_ENCODERS: whole(1, 1_024)
      .default(32)
      .describe(
        'How many answers ffmpeg encodes as mp3, opus or flac at once, some 10 MiB each: half of one tenant, a quarter of one user.',
      ),
  })
  .describe('Audio');

/** The settings of audio. */
export type AudioConfig = ConfigOf<typeof audioConfig>;
