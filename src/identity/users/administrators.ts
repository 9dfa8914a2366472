import type { DataSource } from 'typeorm';
import { User } from './user.entity.js';

/** Whether a user administers its tenant at this moment, whatever its tokens are good for. */
export async function isAdministrator(
  dataSource: DataSource,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string },
): Promise<boolean> {
  const user = await dataSource.manager.findOneBy(User, { id: userId, tenantId });
  return user?.privileges.some((privilege) => privilege === 'admin' || privilege === 'sysadmin') ?? false;
}
