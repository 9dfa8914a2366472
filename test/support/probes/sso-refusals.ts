import type { Platform } from '../servers/platform.js';

/** A log line that tells why a single sign-on was refused. */
interface RefusalLine {
  readonly msg: string;
  readonly reason: string;
}

/** The log lines of refused single sign-ons, the latest last. */
export function refusals({ logLines }: Pick<Platform, 'logLines'>): RefusalLine[] {
  return logLines
    .map((line) => JSON.parse(line) as RefusalLine)
    .filter(({ msg }) => msg === 'a single sign-on was refused');
}
