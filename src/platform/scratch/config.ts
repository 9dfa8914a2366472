import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { MEBIBYTE, whole } from '../config/variables.js';

/** How much of the disk may be used. */
export const diskConfig = z
  .object({
    SCRATCH_BYTES: whole(16 * MEBIBYTE, Number.MAX_SAFE_INTEGER)
      .default(32 * 1_024 * MEBIBYTE)
      .describe(
        'How much the files may take together that exist only while a request or a job works on them (DATA_DIR/scratch): at most half of it for one tenant, a quarter for one user.',
      ),
    DISK_RESERVE_BYTES: whole(0, Number.MAX_SAFE_INTEGER)
      .default(1_024 * MEBIBYTE)
      .describe(
        'How much of the disk of DATA_DIR files leave free; what would take of that is refused. 0: the disk may become full.',
      ),
  })
  .describe('Disk');

/** The settings of the disk. */
export type DiskConfig = ConfigOf<typeof diskConfig>;
