/**
 *   npm run ledger:verify
 *
 * Proves, with the server's own environment, that the counters of quotas and the hours of usage equal the ledger. The
 * exit code is 1 where they do not. An embedded database must not be in use by a server.
 */
import { readConfig } from '../config.js';
import { verifyLedger } from '../metering/domain.js';
import { CommandError, openExisting, runCommand } from './command.js';

await runCommand(async () => {
  const config = readConfig();
  const database = await openExisting(config);
  try {
    const { calls, open, differences } = await verifyLedger(database.dataSource, config.usageCallsRetentionDays);
    console.log(`${calls} calls in the ledger, ${open} of them open.`);
    for (const difference of differences) console.log(difference);
    if (differences.length > 0) throw new CommandError(`${differences.length} differences were found.`);
    console.log('Counters, reservations and hours equal the ledger.');
  } finally {
    await database.close();
  }
});
