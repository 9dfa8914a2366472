import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckpointReader, verifyAuditLog } from '../../../src/audit/domain.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';
import { openTestDatabase } from '../../support/servers/database.js';
import type { OpenTestDatabase } from '../../support/servers/database.js';

const secretBox = new SecretBox(Buffer.alloc(32, 1));
const CHAINS = 110;

describe('the verification of the audit log', () => {
  let opened: OpenTestDatabase;
  beforeAll(fill);
  afterAll(() => opened.close());

  it('tells 100 problems at most, the first of each chain before others', async () => {
    const { entries, problems } = await verify();

    expect(entries).toBe(CHAINS * 3);
    expect(problems).toHaveLength(100);
    expect(new Set(problems.map(({ chain }) => chain)).size).toBe(100);
    expect(problems.every(({ sequence, problem }) => sequence === 1 && problem === 'edited')).toBe(true);
  });

  it('tells more than one of a chain where there is room', async () => {
    const { problems } = await verify('ten_007');

    expect(problems.slice(0, 3)).toMatchObject([{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }]);
  });

  it('lets others go first, and ends when nobody waits for it', async () => {
    const reason = new Error('nobody waits');
    const ending = new AbortController();
    const page = await opened.database.dataSource.query("SELECT * FROM audit_entries WHERE chain = 'ten_007'");
    // It answers at once: nothing but the verification gives others their turn.
    const query = async (sql: string) => (sql.includes('FROM audit_entries') ? manyOf(page[0]) : []);
    const dataSource = { query } as never;
    const checkpoints = new CheckpointReader(secretBox);
    setImmediate(() => ending.abort(reason));

    const verified = verifyAuditLog(
      { dataSource, secretBox, checkpoints },
      { chain: 'ten_007', signal: ending.signal },
    );

    await expect(verified).rejects.toBe(reason);
  });

  /** Chains whose entries somebody else has written. */
  async function fill(): Promise<void> {
    opened = await openTestDatabase();
    await opened.database.dataSource.query(
      `INSERT INTO audit_entries (chain, sequence, id, action, actor_type, outcome, salts, hash, mac, created_at)
       SELECT 'ten_' || lpad(n::text, 3, '0'), s, 'aud_' || n || '_' || s, 'thing.change', 'system', 'success', $1, '', '', now()
       FROM generate_series(1, ${CHAINS}) n, generate_series(1, 3) s`,
      [Buffer.alloc(80)],
    );
  }

  function verify(chain?: string) {
    const { dataSource } = opened.database;
    return verifyAuditLog({ dataSource, secretBox, checkpoints: new CheckpointReader(secretBox) }, { chain });
  }
});

function manyOf(entry: object): object[] {
  return Array.from({ length: 1_000 }, (_, index) => ({ ...entry, sequence: index + 1 }));
}
