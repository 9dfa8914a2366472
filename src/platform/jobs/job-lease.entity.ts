import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which process does a job: nobody else may, for as long as that process is alive. */
@Entity('job_leases')
export class JobLease {
  /** As in the queue's own table. */
  @PrimaryColumn({ type: 'uuid', name: 'job_id', primaryKeyConstraintName: 'job_leases_pkey' })
  jobId!: string;

  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'text', name: 'process_id' })
  processId!: string;

  /** Retries of the job when it was taken. */
  @Column({ type: 'integer', name: 'retry_count' })
  retryCount!: number;
}
