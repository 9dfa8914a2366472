import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { MEBIBYTE, whole } from '../platform/config/variables.js';

/** What recordings may be. */
export const echoConfig = z
  .object({
    ECHO_MAX_RECORDING_BYTES: whole(1, 1024 * 1024 * MEBIBYTE)
      .default(4096 * MEBIBYTE)
      .describe(
        'The largest audio of a recording, in bytes. It may be sent in pieces, so MAX_UPLOAD_BYTES does not bound it.',
      ),
    ECHO_LIVE_IDLE_MINUTES: whole(1, 10_080)
      .default(30)
      .describe('After how many minutes without audio the recording of a live session is ended, and transcribed.'),
    ECHO_LIVE_LATE_SECONDS: whole(1, 600)
      .default(60)
      .describe(
        'How long the end of a live session with a recording waits for the text of each turn that is still at the model. What comes later is `failed` there; the transcript of the recording has it.',
      ),
  })
  .describe('Speech');

/** The settings of recordings and speech. */
export type EchoConfig = ConfigOf<typeof echoConfig>;
