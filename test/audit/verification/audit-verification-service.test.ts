import { describe, expect, it } from '@jest/globals';
import { AuditVerificationService } from '../../../src/audit/verification/audit-verification.service.js';
import { Conflict } from '../../../src/errors.js';
import { newId } from '../../../src/platform/ids.js';

describe('verifications of the audit log in a process', () => {
  it('are two at a time, one of each chain, and others wait for their turn', async () => {
    const { service, answer, asked } = newService();
    const first = service.verify(SYSADMIN, { tenantId: TENANTS[0] });
    const same = service.verify(SYSADMIN, { tenantId: TENANTS[0] });
    const second = service.verify(SYSADMIN, { tenantId: TENANTS[1] });
    const third = service.verify(SYSADMIN, { tenantId: TENANTS[2] });

    await expect(same).rejects.toThrow(Conflict);
    const begun = new Set(asked);
    answer();

    expect(await Promise.all([first, second, third])).toMatchObject(TENANTS.map(() => ({ valid: true })));
    expect([...begun]).toEqual([TENANTS[0], TENANTS[1]]);
  });

  it('are not recorded, and leave their place, when nobody waits for them any more', async () => {
    const { service, answer, recorded } = newService();
    const ending = new AbortController();
    const waiting = service.verify(SYSADMIN, { tenantId: TENANTS[0] }, ending.signal);
    ending.abort(new Error('nobody waits'));
    answer();

    await expect(waiting).rejects.toThrow('nobody waits');

    expect(recorded).toEqual([]);
    expect(await service.verify(SYSADMIN, { tenantId: TENANTS[0] })).toMatchObject({ valid: true });
  });
});

const TENANTS = [newId('ten'), newId('ten'), newId('ten')];
const SYSADMIN = {
  userId: 'usr_1',
  tenantId: TENANTS[0],
  scopes: new Set(['*']),
  privileges: ['user', 'admin', 'sysadmin'],
  client: { address: '192.0.2.7' },
} as never;

/** One whose database has nothing, and says so when it is told to. */
function newService() {
  const recorded: unknown[] = [];
  const asked: unknown[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const service = new AuditVerificationService({
    dataSource: {
      query: (_sql: string, [chain]: unknown[] = []) => {
        asked.push(chain);
        return answered.then(() => []);
      },
    },
    secretBox: { mac: () => Buffer.alloc(32) },
    audit: { recordAlone: async (_actor: unknown, event: unknown) => void recorded.push(event) },
    tenants: { exists: async () => true },
  } as never);
  return { service, answer, asked, recorded };
}
