import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { MEBIBYTE, url, whole } from '../config/variables.js';

/** What processes share beside the database, and what each keeps in its memory where they do not. */
export const clusterConfig = z
  .object({
    REDIS_URL: url('redis:', 'rediss:')
      .optional()
      .describe(
        'A Redis server that several processes share: redis://user:password@host:6379. Not set: each process has its own memory.',
      ),
    RESPONSE_CONTEXT_BYTES: whole(0, Number.MAX_SAFE_INTEGER)
      .default(256 * MEBIBYTE)
      .describe('Memory for the contexts from which responses are continued; with REDIS_URL they are there instead.'),
  })
  .describe('Several processes');

/** The settings of what processes share. */
export type ClusterConfig = ConfigOf<typeof clusterConfig>;
