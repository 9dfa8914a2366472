import type { Logger } from 'pino';
import { Resealer } from './resealer.js';
import type { ResealerParts } from './resealer.js';

/** How many of the rows that do not open are named for each column. */
const NAMED_ROWS = 20;

/** Seals anew what the previous secret key has sealed, where no other process can open the database, and logs that. */
export async function resealAtStart(parts: ResealerParts, log: Logger): Promise<void> {
  let resealed = 0;
  const unopened: string[] = [];
  for await (const counts of new Resealer(parts).reseal()) {
    resealed += counts.resealed;
    unopened.push(...counts.unopened.slice(0, NAMED_ROWS).map((id) => `${counts.column.table} ${id}`));
  }
  if (unopened.length > 0) log.error({ resealed, unopened }, 'sealed values open with neither secret key');
  else log.info({ resealed }, 'nothing needs the previous secret key any more: SECRET_KEY_PREVIOUS can be removed');
}
