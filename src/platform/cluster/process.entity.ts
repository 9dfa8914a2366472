import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The lease of a running server process: whatever it has open is its own until then. */
@Entity('processes')
export class Process {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'processes_pkey' })
  id!: string;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, default: () => 'now()' })
  startedAt!: Date;

  /** By the database's clock; renewed every 2 s. */
  @Column({ type: 'timestamptz', name: 'alive_until', precision: 3 })
  aliveUntil!: Date;
}
