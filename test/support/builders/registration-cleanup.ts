import { RegistrationService } from '../../../src/identity/registration/registration.service.js';
import { RevocationsService } from '../../../src/identity/sessions/revocations.service.js';
import { AccountErasure } from '../../../src/identity/users/account-erasure.js';
import { Accounts } from '../../../src/identity/users/accounts.js';
import { AuditRecorder } from '../../../src/platform/audit/audit-recorder.js';
import { openSecretBox } from '../../../src/platform/crypto/open-secret-box.js';
import type { Platform } from '../servers/platform.js';
import { silentLog } from '../probes/silent-log.js';

/** Drops the registrations that nobody has confirmed in time, as the server does every hour. */
export async function dropRegistrations({ app, config }: Platform): Promise<void> {
  const { dataSource } = app.database;
  const secretBox = await openSecretBox(config, dataSource, []);
  const accounts = new Accounts(
    dataSource,
    new RevocationsService(dataSource),
    new AuditRecorder(dataSource, secretBox),
  );
  const { jobs } = app.mailer['parts'];
  const erasure = new AccountErasure({
    dataSource,
    accounts,
    jobs,
    secretBox,
    contributions: () => [],
    log: silentLog,
  });
  const parts = { accounts, erasure } as unknown as ConstructorParameters<typeof RegistrationService>[0];
  await new RegistrationService(parts).prune();
}
