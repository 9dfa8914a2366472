import type { DataSource, EntityManager } from 'typeorm';
import type { CheckpointPurpose } from './audit-checkpoint.entity.js';
import type { CheckpointReader, SignedEnd } from './checkpoint-reader.js';

const COLUMNS = 'SELECT sequence::float8 AS sequence, kid, token FROM audit_checkpoints';

interface StoredRow {
  readonly sequence: number;
  readonly kid: string;
  readonly token: string;
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
      `${COLUMNS} WHERE chain = $1 AND purpose = 'checkpoint' AND sequence BETWEEN $2 AND $3`,
      [this.chain, first, last],
    );
    const found = new Map<number, SignedEnd | 'unknown'>();
    for (const row of rows) found.set(row.sequence, (await this.verifyStored(row, 'checkpoint')) ?? 'unknown');
    return found;
  }

  /** What the checkpoint says that has taken the place of an entry, and of those before it; undefined: there is none. */
  async readRetention(sequence: number): Promise<SignedEnd | undefined> {
    const [row] = await this.parts.dataSource.query<StoredRow[]>(
      `${COLUMNS} WHERE chain = $1 AND purpose = 'retention' AND sequence = $2`,
      [this.chain, sequence],
    );
    return row && this.verifyStored(row, 'retention');
  }

  private async verifyStored(
    { sequence, kid, token }: StoredRow,
    purpose: CheckpointPurpose,
  ): Promise<SignedEnd | undefined> {
    const claims = await this.parts.checkpoints.readStored(kid, token);
    return claims?.chain === this.chain && claims.sequence === sequence && claims.purpose === purpose
      ? claims
      : undefined;
  }
}
