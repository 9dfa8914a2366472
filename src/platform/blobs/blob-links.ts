import { NotFound } from '../../errors.js';
import type { SecretBox } from '../crypto/secret-box.js';

/** Where files are fetched. */
export const BLOB_PATH = '/v1/blobs/';
const LIFETIME_MS = 5 * 60 * 1_000;
const PURPOSE = 'blob-link';
/** Longer ones are none of ours. */
const MOST_CHARACTERS = 2_000;

/** A file, and for whom it was asked. */
export interface BlobTarget {
  /** What reads it: a name of `blobReaders`. */
  readonly kind: string;
  /** What the reader knows it by. */
  readonly key: string;
  readonly tenantId: string;
  readonly userId: string;
}

/** Makes and reads addresses of files that need no other credential: sealed, for one file and user, and for five minutes. */
export class BlobLinks {
  /** @param publicUrl how clients reach the server; left out: addresses are paths */
  constructor(
    private readonly secretBox: Pick<SecretBox, 'seal' | 'unseal'>,
    private readonly publicUrl = '',
  ) {}

  /** The address of a file for a user who may have it now; that is asked again when it is used. */
  urlOf({ kind, key, tenantId, userId }: BlobTarget): string {
    const content = JSON.stringify([kind, key, tenantId, userId, Date.now() + LIFETIME_MS]);
    return this.publicUrl + BLOB_PATH + this.secretBox.seal(PURPOSE, Buffer.from(content)).toString('base64url');
  }

  /**
   * What an address is for.
   * @param sealed its last segment
   * @throws NotFound for what is none of ours, or too old
   */
  open(sealed: string): BlobTarget {
    const content = sealed.length <= MOST_CHARACTERS ? this.unseal(sealed) : undefined;
    const [kind, key, tenantId, userId, endsAt] = content ?? [];
    if (!kind || !key || !tenantId || !userId || Number(endsAt) < Date.now()) {
      throw new NotFound('This address is none of a file, or not any more: ask for a new one.');
    }
    return { kind, key, tenantId, userId };
  }

  private unseal(sealed: string): string[] | undefined {
    try {
      return JSON.parse(this.secretBox.unseal(PURPOSE, Buffer.from(sealed, 'base64url')).toString()) as string[];
    } catch {
      return undefined;
    }
  }
}
