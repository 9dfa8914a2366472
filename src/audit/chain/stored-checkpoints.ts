import type { DataSource, EntityManager } from 'typeorm';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import type { CheckpointReader, SignedEnd, StoredCheckpoint } from './checkpoint-reader.js';

const SELECT = `
  SELECT c.sequence::float8 AS sequence, c.kid, c.token, k.public_jwk AS "publicJwk", k.mac AS "keyMac"
  FROM audit_checkpoints c LEFT JOIN audit_keys k ON k.kid = c.kid`;

/** Of which one chain has one, unless somebody else has written into the table. */
const MOST_RETENTIONS = 100;

interface StoredRow extends StoredCheckpoint {
  readonly sequence: number;
}

interface StoredCheckpointsParts {
  readonly dataSource: Pick<DataSource | EntityManager, 'query'>;
  readonly checkpoints: CheckpointReader;
}

/** The checkpoints of a chain that the database has. */
export class StoredCheckpoints {
  constructor(
    private readonly parts: StoredCheckpointsParts,
    private readonly chain: string,
  ) {}

  /** What the checkpoints of a range of entries say, by the entry; `unknown` where this installation has not signed it. */
  async read(first: number, last: number): Promise<Map<number, SignedEnd | 'unknown'>> {
    const rows = await this.parts.dataSource.query<StoredRow[]>(
      `${SELECT} WHERE c.chain = $1 AND c.purpose = 'checkpoint' AND c.sequence BETWEEN $2 AND $3`,
      [this.chain, first, last],
    );
    const found = new Map<number, SignedEnd | 'unknown'>();
    for (const row of rows) found.set(row.sequence, (await this.verifyStored(row, 'checkpoint')) ?? 'unknown');
    return found;
  }

  /** What the checkpoint says that has taken the place of the first entries; undefined: there is none. */
  async readRetention(): Promise<SignedEnd | undefined> {
    for (const row of await this.retentions()) {
      const claims = await this.verifyStored(row, 'retention');
      if (claims) return claims;
    }
    return undefined;
  }

  /** The entries at which somebody else says that retention has come to, or something that nobody says. */
  async unsignedRetentions(): Promise<number[]> {
    const forged: number[] = [];
    for (const row of await this.retentions()) {
      if (!(await this.verifyStored(row, 'retention'))) forged.push(row.sequence);
    }
    return forged;
  }

  /** The last first; there is one, unless somebody else has written others. */
  private retentions(): Promise<StoredRow[]> {
    const sql = `${SELECT} WHERE c.chain = $1 AND c.purpose <> 'checkpoint' ORDER BY c.sequence DESC LIMIT ${MOST_RETENTIONS}`;
    return this.parts.dataSource.query<StoredRow[]>(sql, [this.chain]);
  }

  private async verifyStored(row: StoredRow, purpose: CheckpointPurpose): Promise<SignedEnd | undefined> {
    const claims = await this.parts.checkpoints.readStored(row);
    return claims?.chain === this.chain && claims.sequence === row.sequence && claims.purpose === purpose
      ? claims
      : undefined;
  }
}
