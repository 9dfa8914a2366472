/**
 *   npm run ledger:verify
 *
 * Proves, with the server's own environment, that the counters of quotas and the hours of usage equal the ledger. The
 * exit code is 1 where they do not. An embedded database must not be in use by a server.
 */
import { readConfig } from '../../config.js';
import { verifyLedger } from '../../metering/domain.js';
import { CommandError, openExisting, readArguments } from '../command.js';
import type { CommandIo } from '../command.js';

const USAGE = 'Usage: npm run ledger:verify';

/** Compares counters, reservations and hours with the ledger. */
export async function verifyLedgerCommand(io: CommandIo): Promise<void> {
  if (!readArguments(io, USAGE, 0, {})) return;
  const config = readConfig(io.env);
  const database = await openExisting(config, io);
  try {
    const { calls, open, differences } = await verifyLedger(database.dataSource, config.usageCallsRetentionDays);
    io.print(`${calls} calls in the ledger, ${open} of them open.`);
    for (const difference of differences) io.print(difference);
    if (differences.length > 0) throw new CommandError(`${differences.length} differences were found.`);
    io.print('Counters, reservations and hours equal the ledger.');
  } finally {
    await database.close();
  }
}
