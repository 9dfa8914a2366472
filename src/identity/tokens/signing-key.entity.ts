import type { JsonWebKey } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The public half of an elliptic curve key (RFC 7517). */
export type PublicJwk = Pick<JsonWebKey, 'kty' | 'crv' | 'x' | 'y'>;

/** A key pair that signs access tokens. It is published before it signs, and after it has signed its last token. */
@Entity('signing_keys')
export class SigningKey {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'signing_keys_pkey' })
  kid!: string;

  @Column({ type: 'text' })
  algorithm!: 'ES256';

  @Column({ type: 'jsonb', name: 'public_jwk' })
  publicJwk!: PublicJwk;

  /** PKCS #8, sealed with the installation's secret key. */
  @Column({ type: 'bytea', name: 'private_sealed' })
  privateSealed!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  /** Signs from here on, until a younger key does. */
  @Column({ type: 'timestamptz', precision: 3, name: 'activates_at' })
  activatesAt!: Date;

  /** Every token that it has signed has expired; null while it has no successor. */
  @Column({ type: 'timestamptz', precision: 3, name: 'retires_at', nullable: true })
  retiresAt!: Date | null;
}
