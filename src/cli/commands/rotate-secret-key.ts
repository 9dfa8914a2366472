/**
 *   npm run rotate-secret-key
 *
 * Seals anew, with the SECRET_KEY of the server's own environment, whatever SECRET_KEY_PREVIOUS has sealed. With
 * PostgreSQL the servers go on meanwhile, all of them with both keys; an embedded database must not be in use by a
 * server, which does the same at its start. It may be broken off and run again. The exit code is 1 where something
 * opens with neither key, or still needs the previous one.
 */
import { readConfig } from '../../config.js';
import { schema } from '../../domains.js';
import { openSecretBox } from '../../platform/crypto/open-secret-box.js';
import type { SealedCounts } from '../../platform/crypto/resealer.js';
import { countStale, rotateSecretKey } from '../../platform/crypto/secret-key-rotation.js';
import { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { createLog } from '../../platform/telemetry/log.js';
import { CommandError, openExisting, readArguments } from '../command.js';
import type { CommandIo } from '../command.js';

const USAGE = 'Usage: npm run rotate-secret-key    (with SECRET_KEY and SECRET_KEY_PREVIOUS)';
/** How many of the rows that do not open are named for each column. */
const NAMED_ROWS = 20;
const OPERATOR = { type: 'operator', id: null } as const;

/** Seals anew what the previous secret key has sealed. */
export async function rotateSecretKeyCommand(io: CommandIo): Promise<void> {
  if (!readArguments(io, USAGE, 0, {})) return;
  const config = readConfig(io.env);
  if (!config.secretKeyPrevious) {
    throw new CommandError('Set SECRET_KEY to the new key, and SECRET_KEY_PREVIOUS to the one before.');
  }
  const columns = schema.sealed ?? [];
  const database = await openExisting(config, io);
  let counts: readonly SealedCounts[];
  try {
    const { dataSource } = database;
    const secretBox = await openSecretBox(config, dataSource, columns);
    const audit = new AuditRecorder(dataSource, secretBox);
    const log = createLog('error', io.stderr);
    counts = await rotateSecretKey({ dataSource, secretBox, columns, audit, actor: OPERATOR, log }, (column) => {
      io.print(`${nameOf(column)}: ${column.values} sealed, ${column.resealed} of them anew.`);
    });
  } finally {
    await database.close();
  }
  const stale = countStale(counts);
  io.print(`${stale} values need the previous key.`);
  requireAllOpen(counts);
  if (stale > 0) {
    throw new CommandError('A server still seals with it: give every server the new SECRET_KEY, and run this again.');
  }
  io.print('SECRET_KEY_PREVIOUS can be removed.');
}

function nameOf({ column: { table, purpose } }: SealedCounts): string {
  return `${table} (${purpose})`;
}

/** @throws CommandError that names what opens with neither key */
function requireAllOpen(counts: readonly SealedCounts[]): void {
  const broken = counts.filter(({ unopened }) => unopened.length > 0);
  if (broken.length === 0) return;
  const lines = broken.map((column) => {
    const { unopened } = column;
    const more = unopened.length > NAMED_ROWS ? ` and ${unopened.length - NAMED_ROWS} more` : '';
    return `${nameOf(column)}: ${unopened.length}: ${unopened.slice(0, NAMED_ROWS).join(', ')}${more}`;
  });
  throw new CommandError(['Some values open with neither key:', ...lines].join('\n  '));
}
