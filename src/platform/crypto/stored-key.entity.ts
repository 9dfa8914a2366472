import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A random key of the installation that stays the same when its secret key changes. */
@Entity('stored_keys')
export class StoredKey {
  /** What it is for. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'stored_keys_pkey' })
  name!: string;

  /** 32 bytes, sealed with the secret key. */
  @Column({ type: 'bytea', name: 'key_sealed' })
  keySealed!: Buffer;
}
