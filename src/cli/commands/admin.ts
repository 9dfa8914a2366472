/**
 *   npm run admin -- reset-password EMAIL [--generate]
 *
 * Helps the operator, with the server's own environment. reset-password asks for the new password, reads it
 * from standard input where that is no terminal, or makes one and shows it once. An embedded database must not be in use.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { readConfig } from '../../config.js';
import { PlatformError } from '../../errors.js';
import { schema } from '../../domains.js';
import { resetPassword } from '../../identity/domain.js';
import { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { openSecretBox } from '../../platform/crypto/open-secret-box.js';
import { CommandError, openExisting, readArguments } from '../command.js';
import type { CommandIo } from '../command.js';

const USAGE = 'Usage: npm run admin -- reset-password EMAIL [--generate]';

/** Gives a user a new password. */
export async function adminCommand(io: CommandIo): Promise<void> {
  const given = readArguments(io, USAGE, 2, { generate: { type: 'boolean', default: false } });
  if (!given) return;
  const { values, positionals } = given;
  const [command, email = ''] = positionals;
  if (command !== 'reset-password' || email === '') throw new CommandError(USAGE);
  const config = readConfig(io.env);
  const database = await openExisting(config, io);
  let password: string;
  try {
    password = values.generate ? randomBytes(18).toString('base64url') : await askPassword(email, io);
    const { dataSource } = database;
    const secretBox = await openSecretBox(config, dataSource, schema.sealed ?? []);
    await resetPassword({ dataSource, audit: new AuditRecorder(dataSource, secretBox) }, email, password);
  } catch (error) {
    throw error instanceof PlatformError ? new CommandError(error.message) : error;
  } finally {
    await database.close();
  }
  if (values.generate) io.print(`The new password: ${password}`);
  io.print(`${email} has a new password, and every session has ended.`);
}

async function askPassword(email: string, { stdin, stderr }: CommandIo): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  const { promise: left, reject } = Promise.withResolvers<never>();
  // By Ctrl-C or Ctrl-D, after which nothing answers the question any more.
  terminal.once('close', () => reject(new CommandError('\nNothing was changed.')));
  const answer = (): Promise<string> => Promise.race([terminal.question('').catch(() => left), left]);
  left.catch(() => undefined);
  try {
    stderr.write(`New password of ${email}: `);
    const password = await answer();
    stderr.write('\nAgain: ');
    if ((await answer()) !== password) throw new CommandError('\nThe passwords do not match.');
    stderr.write('\n');
    return password;
  } finally {
    terminal.close();
  }
}
