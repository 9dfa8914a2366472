import type { DataSource, EntityManager } from 'typeorm';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import type { CheckpointReader, SignedEnd, StoredCheckpoint } from './checkpoint-reader.js';

const SELECT = `
  SELECT c.sequence::float8 AS sequence, c.kid, c.token, k.public_jwk AS "publicJwk", k.mac AS "keyMac"
  FROM audit_checkpoints c LEFT JOIN audit_keys k ON k.kid = c.kid`;

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
    const [row] = await this.parts.dataSource.query<StoredRow[]>(
      `${SELECT} WHERE c.chain = $1 AND c.purpose = 'retention' ORDER BY c.sequence DESC LIMIT 1`,
      [this.chain],
    );
    return row && this.verifyStored(row, 'retention');
  }

  private async verifyStored(row: StoredRow, purpose: CheckpointPurpose): Promise<SignedEnd | undefined> {
    const claims = await this.parts.checkpoints.readStored(row);
    return claims?.chain === this.chain && claims.sequence === row.sequence && claims.purpose === purpose
      ? claims
      : undefined;
  }
}
