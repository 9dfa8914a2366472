import type { Logger } from 'pino';
import { SYSTEM } from '../audit/audit-event.js';
import type { AuditRecorder } from '../audit/audit-recorder.js';
import type { ResealerParts } from './resealer.js';
import { rotateSecretKey } from './secret-key-rotation.js';

/** How many of the rows that do not open are named for each column. */
const NAMED_ROWS = 20;

/** Seals anew what the previous secret key has sealed, where no other process can open the database, records and logs that. */
export async function resealAtStart(parts: ResealerParts, audit: AuditRecorder, log: Logger): Promise<void> {
  const counts = await rotateSecretKey({ ...parts, audit, actor: SYSTEM, log });
  const resealed = counts.reduce((sum, column) => sum + column.resealed, 0);
  const unopened = counts.flatMap(({ column, unopened: ids }) =>
    ids.slice(0, NAMED_ROWS).map((id) => `${column.table} ${id}`),
  );
  if (unopened.length > 0) log.error({ resealed, unopened }, 'sealed values open with neither secret key');
  else log.info({ resealed }, 'nothing needs the previous secret key any more: SECRET_KEY_PREVIOUS can be removed');
}
