import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often something was tried in a window of time. The limiter's library reads and writes it. */
@Entity('attempt_counters')
@Index('attempt_counters_expire', ['expire'])
export class AttemptCounter {
  /** What is counted, and a keyed hash of whose it is: addresses are not stored for having been tried. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'attempt_counters_pkey' })
  key!: string;

  @Column({ type: 'integer' })
  points!: number;

  /** When the window ends, in Unix milliseconds. */
  @Column({ type: 'bigint' })
  expire!: string;
}
