import type { DataSource } from 'typeorm';
import type { Privilege } from '../../access/caller.js';
import type { UserStatus } from '../users/user.entity.js';

/** What it takes to verify a personal access token: the token, and its user as it is now. */
export interface ApiTokenRecord {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly secretHash: string;
  readonly previousHash: string | null;
  readonly previousExpiresAt: Date | null;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly userId: string;
  readonly tenantId: string;
  readonly status: UserStatus;
  readonly privileges: readonly Privilege[];
  readonly userVersion: number;
}

/** The largest number of tokens in one statement; keeps a statement on the embedded database under 10 ms. */
const BATCH = 200;

const SELECT = `
  SELECT token.id, token.scopes, token.secret_hash AS "secretHash", token.previous_hash AS "previousHash",
         token.previous_expires_at AS "previousExpiresAt", token.expires_at AS "expiresAt",
         token.revoked_at AS "revokedAt", owner.id AS "userId", owner.tenant_id AS "tenantId", owner.status,
         owner.privileges, owner.user_version AS "userVersion"
  FROM api_tokens AS token JOIN users AS owner ON owner.id = token.user_id
  WHERE token.id = ANY($1)`;

/**
 * Reads tokens for their verification. What is asked for at the same time is read together, one statement after
 * another: a flood of tokens that do not exist takes one connection and few statements, and a good token among them
 * waits for one statement more.
 */
export class ApiTokenLoader {
  private readonly pending = new Map<string, PromiseWithResolvers<ApiTokenRecord | undefined>>();
  private reading = false;

  constructor(private readonly dataSource: DataSource) {}

  /** The token with this id, as it is at some time after the call; undefined if there is none. */
  find(id: string): Promise<ApiTokenRecord | undefined> {
    const known = this.pending.get(id);
    if (known) return known.promise;
    const asked = Promise.withResolvers<ApiTokenRecord | undefined>();
    this.pending.set(id, asked);
    if (!this.reading) void this.read();
    return asked.promise;
  }

  private async read(): Promise<void> {
    this.reading = true;
    while (this.pending.size > 0) {
      const batch = new Map([...this.pending].slice(0, BATCH));
      for (const id of batch.keys()) this.pending.delete(id);
      try {
        const rows = await this.dataSource.query<ApiTokenRecord[]>(SELECT, [[...batch.keys()]]);
        const found = new Map(rows.map((row) => [row.id, row]));
        for (const [id, asked] of batch) asked.resolve(found.get(id));
      } catch (error) {
        for (const asked of batch.values()) asked.reject(error);
      }
    }
    this.reading = false;
  }
}
