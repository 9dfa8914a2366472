/**
 *   npm run audit:verify -- [--chain TENANT|platform] [--checkpoint FILE]
 *
 * Proves, with the server's own environment, that nothing was changed in the audit log. The file is a checkpoint as the
 * server has answered it, or its token. The exit code is 1 where something is wrong. An embedded database must not be in
 * use by a server.
 */
import { readFileSync } from 'node:fs';
import { CheckpointReader, verifyAuditLog } from '../../audit/domain.js';
import { readConfig } from '../../config.js';
import { schema } from '../../domains.js';
import { openSecretBox } from '../../platform/crypto/open-secret-box.js';
import { CommandError, describeUnusable, openExisting, readArguments } from '../command.js';
import type { CommandIo } from '../command.js';

const USAGE = 'Usage: npm run audit:verify -- [--chain TENANT|platform] [--checkpoint FILE]';

/** Verifies the chains of the audit log. */
export async function verifyAuditCommand(io: CommandIo): Promise<void> {
  const given = readArguments(io, USAGE, 0, { chain: { type: 'string' }, checkpoint: { type: 'string' } });
  if (!given) return;
  const { values } = given;
  const token = values.checkpoint === undefined ? undefined : readToken(values.checkpoint);
  const config = readConfig(io.env);
  const database = await openExisting(config, io);
  try {
    const { dataSource } = database;
    const secretBox = await openSecretBox(config, dataSource, schema.sealed ?? []);
    const checkpoints = new CheckpointReader(secretBox);
    const from = token === undefined ? undefined : checkpoints.read(token);
    if (token !== undefined && !from) throw new CommandError('This installation has not signed that checkpoint.');
    const chain = values.chain ?? from?.chain;
    if (from && from.chain !== chain) throw new CommandError(`That checkpoint is not of the chain ${chain}.`);
    const verified = await verifyAuditLog({ dataSource, secretBox, checkpoints }, { chain, from });
    io.print(`${verified.entries} entries, ${verified.unsealed} more that are not sealed yet.`);
    for (const { chain, sequence, id, problem } of verified.problems) {
      io.print(`${chain} ${sequence} ${problem}${id === null ? '' : `: ${id}`}`);
    }
    if (verified.problems.length > 0) throw new CommandError(`${verified.problems.length} problems were found.`);
    requireEntries(verified.entries, values.chain);
    io.print('Nothing was changed.');
  } finally {
    await database.close();
  }
}

/** @throws CommandError where a chain is asked for that is not there */
function requireEntries(entries: number, chain: string | undefined): void {
  if (entries === 0 && chain !== undefined) throw new CommandError(`There is no entry in a chain ${chain}.`);
}

/** @throws CommandError where the file is missing, or begins like JSON and is not valid */
function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(describeUnusable(file, error));
  }
  if (!text.startsWith('{')) return text;
  try {
    const { token } = JSON.parse(text) as { readonly token?: unknown };
    return typeof token === 'string' ? token : '';
  } catch {
    throw new CommandError(`${file} is no JSON.`);
  }
}
