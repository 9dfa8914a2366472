import { IsNull } from 'typeorm';
import type { DataSource } from 'typeorm';
import type { Caller } from '../../access/caller.js';
import { administersTenant } from '../../access/tenancy.js';
import type { BlobReader, ReadableBlob } from '../../platform/blobs/readable-blob.js';
import { isId } from '../../platform/ids.js';
import { DocumentSession } from './document-session.entity.js';
import { visibleToUser } from './session-access.js';

const FOR_ADMINISTRATORS = '_for_administrators';

interface SessionReadersParts {
  readonly dataSource: DataSource;
  /** Whether a user administers its tenant at this moment. */
  readonly isAdministrator: (user: { tenantId: string; userId: string }) => Promise<boolean>;
}

/** Reads what signed addresses lead to, for those who may see its session when the address is used. */
export class SessionReaders {
  constructor(private readonly parts: SessionReadersParts) {}

  /** The kind that the addresses of a caller have: those of administrators lead to private sessions, too. */
  kindFor(caller: Caller, kind: string): string {
    return administersTenant(caller, caller.tenantId) ? kind + FOR_ADMINISTRATORS : kind;
  }

  /**
   * The readers of a kind, by what `kindFor` makes of it.
   * @param sessionIdOf the session that a key leads to; undefined: none
   */
  of(
    kind: string,
    sessionIdOf: (key: string) => Promise<string | undefined> | string | undefined,
    read: (
      session: DocumentSession,
      key: string,
      user: Parameters<BlobReader>[0],
    ) => Promise<ReadableBlob | undefined> | ReadableBlob | undefined,
  ): Readonly<Record<string, BlobReader>> {
    const { manager } = this.parts.dataSource;
    const reader =
      (isForAdministrators: boolean): BlobReader =>
      async (user, key) => {
        const id = await sessionIdOf(key);
        if (id === undefined || !isId('das', id)) return undefined;
        if (isForAdministrators && !(await this.parts.isAdministrator(user))) return undefined;
        const all = [{ tenantId: user.tenantId, deletedTime: IsNull() }];
        const where = (isForAdministrators ? all : visibleToUser(user)).map((condition) => ({ ...condition, id }));
        const session = await manager.findOne(DocumentSession, { where });
        return session ? read(session, key, user) : undefined;
      };
    return { [kind]: reader(false), [kind + FOR_ADMINISTRATORS]: reader(true) };
  }
}
