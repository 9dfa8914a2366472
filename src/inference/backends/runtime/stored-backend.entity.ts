import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { Tenant } from '../../../identity/domain.js';
import type { RuntimeSettings } from '../backend-settings.js';

/** The settings that are sealed: nobody gets to see them again. */
export type SecretSettings = Pick<RuntimeSettings, 'api_key' | 'headers'>;
/** The settings that may be shown. Those without a kind are of the time when all were `openai`. */
export type OpenSettings = Opened<RuntimeSettings>;

type Opened<Settings> = Settings extends { readonly kind: infer Kind }
  ? Omit<Settings, keyof SecretSettings | 'kind' | 'name'> & { readonly kind?: Kind }
  : never;

/** A backend that was added while the server runs. */
@Entity('backends')
@Index('backends_tenant_id_name', ['tenantId', 'name'], { unique: true })
@Index('backends_global_name', ['name'], { unique: true, where: 'tenant_id IS NULL' })
export class StoredBackend {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'backends_pkey' })
  id!: string;

  /** The tenant that it serves alone; null: all of them. */
  @Column({ type: 'text', name: 'tenant_id', nullable: true })
  tenantId!: string | null;

  @ManyToOne(() => Tenant, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'backends_tenant_id_fkey' })
  tenant?: Relation<Tenant>;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'jsonb' })
  settings!: OpenSettings;

  /** Whether callers' own keys are sent to it, as a sysadmin has said: `byok` of the settings could be anybody's word. */
  @Column({ type: 'boolean', name: 'takes_keys', default: false })
  takesKeys!: boolean;

  /** `SecretSettings` as JSON, sealed with the id as context. */
  @Column({ type: 'bytea', name: 'secrets_sealed' })
  secretsSealed!: Buffer;

  /** Counts the changes, so that other replicas see them. */
  @Column({ type: 'integer' })
  revision!: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at' })
  updatedAt!: Date;
}
