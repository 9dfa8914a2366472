import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { SYSTEM } from '../../../src/platform/audit/audit-event.js';
import type { AuditEvent } from '../../../src/platform/audit/audit-event.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { rotateSecretKey } from '../../../src/platform/crypto/secret-key-rotation.js';
import { silentLog } from '../../support/probes/silent-log.js';

it.each([
  ['recorded', () => Promise.resolve()],
  ['not recorded either', () => Promise.reject(new Error('the record is lost'))],
])('a change of the secret key that is broken off tells why, and is %s', async (_, record) => {
  const events: AuditEvent[] = [];
  const audit = { recordAlone: (_actor: unknown, event: AuditEvent) => (events.push(event), record()) };
  const dataSource = { query: () => Promise.reject(new Error('the database is away')) } as unknown as DataSource;
  const columns = [{ table: 'secrets', key: 'id', column: 'sealed', purpose: 'test', context: 'none' as const }];
  const parts = {
    dataSource,
    secretBox: new SecretBox(randomBytes(32)),
    columns,
    audit,
    actor: SYSTEM,
    log: silentLog,
  };

  const ended = rotateSecretKey(parts);

  await expect(ended).rejects.toThrow('the database is away');
  expect(events).toMatchObject([{ action: 'secret_key.rotate', outcome: 'failure', reason: 'it was broken off' }]);
});
