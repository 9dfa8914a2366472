import type { JsonWebKey } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SecretBox } from '../../platform/crypto/secret-box.js';

/** The public half of a key that has signed a checkpoint; it is kept for good. */
@Entity('audit_keys')
export class AuditKey {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'audit_keys_pkey' })
  kid!: string;

  @Column({ type: 'jsonb', name: 'public_jwk' })
  publicJwk!: JsonWebKey;

  /** With the key of the installation: nobody else puts a key here. */
  @Column({ type: 'bytea' })
  mac!: Buffer;
}

/** What shows that this installation has put a key there. */
export function macOfKey(secretBox: Pick<SecretBox, 'mac'>, kid: string, { kty, crv, x, y }: JsonWebKey): Buffer {
  return secretBox.mac('audit-key', kid, String(kty), String(crv), String(x), String(y));
}
