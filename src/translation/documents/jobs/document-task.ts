import type { EntityManager } from 'typeorm';
import type { CallOwner } from '../../../access/caller.js';
import type { DocumentTranslation } from './document-translation.entity.js';

/** What is done, and for whom. */
export interface DocumentTask {
  readonly document: DocumentTranslation;
  /** For whom models are called. */
  readonly owner: CallOwner;
  readonly signal: AbortSignal;
  /** Whether little is asked for at once: all at once was too much for a limit or an engine. */
  readonly isCareful: boolean;
  /** Runs a transaction while the job is this process's and the document is there. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
  /** Told of what has been translated. */
  progressed(tx: EntityManager, units: number, detected: string | null): Promise<void>;
  /** Told whenever an engine has answered. */
  answered(): void;
}
