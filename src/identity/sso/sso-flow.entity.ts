import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { IdentityProvider } from '../providers/identity-provider.entity.js';

/** A sign-in for which a browser is at its identity provider. */
@Entity('sso_flows')
@Index('sso_flows_provider_id', ['providerId'])
@Index('sso_flows_expires_at', ['expiresAt'])
export class SsoFlow {
  /** SHA-256 of the state that comes back with the browser, base64url. */
  @PrimaryColumn({ type: 'text', name: 'state_hash', primaryKeyConstraintName: 'sso_flows_pkey' })
  stateHash!: string;

  @Column({ type: 'text', name: 'provider_id' })
  providerId!: string;

  @ManyToOne(() => IdentityProvider, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'sso_flows_provider_id_fkey' })
  provider?: Relation<IdentityProvider>;

  /** SHA-256 of the id in the browser's cookie, base64url. */
  @Column({ type: 'text', name: 'browser_hash' })
  browserHash!: string;

  /** What the id token has to repeat. */
  @Column({ type: 'text' })
  nonce!: string;

  /** The code verifier (RFC 7636), sealed with the state's hash as context. */
  @Column({ type: 'bytea', name: 'verifier_sealed' })
  verifierSealed!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt!: Date;
}
