/** How often a job is tried again, the first time after some 5 s, then after twice as long each time. */
export const RETRIES = 8;
const RETRY_SECONDS = 5;
/** How long one attempt may take. */
const ATTEMPT_SECONDS = 6 * 3_600;
/** After so long without a sign of life from its worker a job is tried again; a dead process is known of sooner. */
const HEARTBEAT_SECONDS = 30;
/** How long a job is known: one that waits, and one that is over. */
const RETENTION_SECONDS = 30 * 24 * 3_600;

/** What is the same for all kinds of jobs. */
export const QUEUE_OPTIONS = {
  retryLimit: RETRIES,
  retryDelay: RETRY_SECONDS,
  retryBackoff: true,
  expireInSeconds: ATTEMPT_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retentionSeconds: RETENTION_SECONDS,
  deleteAfterSeconds: RETENTION_SECONDS,
} as const;
