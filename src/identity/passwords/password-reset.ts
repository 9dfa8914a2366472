import { Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { BadRequest, Conflict, NotFound } from '../../errors.js';
import { normalizeEmail } from '../users/email.js';
import { PasswordToken } from './password-token.entity.js';
import { PasswordHasher } from './password-hasher.js';
import { passwordProblem } from './password-policy.js';
import { RevocationsService } from '../sessions/revocations.service.js';
import { Session } from '../sessions/session.entity.js';
import { LOCAL_FIRST, User } from '../users/user.entity.js';

/**
 * Gives a user a new password from outside the server, for whoever has the database. Every session ends, on every
 * replica within a second. It also answers an invitation, and confirms a registration: the operator vouches for the user.
 * @throws NotFound; BadRequest for a password that may not be chosen; Conflict where an identity provider keeps it
 */
export async function resetPassword(
  { dataSource, audit }: { readonly dataSource: DataSource; readonly audit: AuditRecorder },
  address: string,
  password: string,
): Promise<void> {
  const email = normalizeEmail(address);
  const problem = passwordProblem(password, email);
  if (problem) throw new BadRequest(`The password ${problem}.`);
  const passwordHash = await new PasswordHasher().hash(password);
  const revocations = new RevocationsService(dataSource);
  await dataSource.transaction(async (tx) => {
    const user = await tx.findOne(User, {
      where: { email, status: Not('deleted') },
      order: LOCAL_FIRST,
      lock: { mode: 'pessimistic_write' },
    });
    if (!user) throw new NotFound(`There is no user ${email}.`);
    if (user.identityProviderId !== null) {
      throw new Conflict('conflict', `The password of ${email} is kept by its identity provider: change it there.`);
    }
    const userVersion = user.userVersion + 1;
    await tx.update(User, { id: user.id }, { passwordHash, userVersion, confirmed: true, confirmBefore: null });
    await tx.delete(PasswordToken, { userId: user.id });
    await tx.update(Session, { userId: user.id }, { endedAt: new Date() });
    await revocations.write(tx, 'user', user.id, { minVersion: userVersion });
    const event = { tenantId: user.tenantId, action: 'password.set', target: { type: 'user', id: user.id } } as const;
    await audit.record(tx, { type: 'operator', id: null }, event);
  });
}
