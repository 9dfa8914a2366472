import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { App } from './app.js';
import type { LogOutput } from './platform/telemetry/log-output.js';
import { describeFailure } from './unhandled-errors.js';

/** How much longer than allowed a shutdown may take before it is broken off, in milliseconds. */
const LATE_MS = 500;
/** How long the reader of the log may take for its end, and the system for a write that is under way, in milliseconds. */
const LOG_MS = 500;

interface ShutdownParts {
  readonly app: Pick<App, 'close'>;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly output: Pick<LogOutput, 'drain' | 'stop' | 'isWriting'>;
  /** How long a shutdown may take. */
  readonly seconds: number;
}

/**
 * Ends the process in good order on the first signal, at once on the second: at most two seconds later than allowed,
 * whatever hangs, the reader of the log included.
 */
export function endOnSignals(parts: ShutdownParts): void {
  let isEnding = false;
  const end = (signal: string): void => {
    if (isEnding) return void exit(parts, 1);
    isEnding = true;
    parts.log.info(`${signal}: finishing open work`);
    void Promise.race([close(parts), breakOff(parts)]).then(async (code) => {
      await Promise.race([parts.output.drain(), delay(LOG_MS)]);
      await exit(parts, code);
    });
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** @returns the exit code */
async function close({ app }: ShutdownParts): Promise<number> {
  try {
    await app.close();
    return 0;
  } catch (error) {
    console.error(describeFailure(error));
    return 1;
  }
}

/** @returns the exit code, when the shutdown takes too long */
async function breakOff({ log, seconds }: ShutdownParts): Promise<number> {
  await delay(seconds * 1_000 + LATE_MS);
  log.error('the shutdown takes longer than SHUTDOWN_SECONDS, and is broken off');
  return 1;
}

async function exit({ output }: ShutdownParts, code: number): Promise<never> {
  await Promise.race([output.stop(), delay(LOG_MS)]);
  // A terminal that is halted, or a disk that hangs: an exit would wait for the write.
  if (output.isWriting) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
