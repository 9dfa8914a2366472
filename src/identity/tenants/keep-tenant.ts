import type { EntityManager } from 'typeorm';

/**
 * Keeps a tenant from being deleted until the transaction ends, so that no account is made in one that is gone.
 * @returns whether there is such a tenant
 */
export async function keepTenant(tx: EntityManager, id: string): Promise<boolean> {
  const sql = 'SELECT FROM tenants WHERE id = $1 AND deleted_at IS NULL FOR SHARE';
  return (await tx.query<object[]>(sql, [id])).length > 0;
}
