import type { NewEvent } from './append-events.js';
import type { ResearchSession } from './research-session.entity.js';

/** That a session is in a state: `{status, progress}`. */
export function statusEvent({ status, progress }: Pick<ResearchSession, 'status' | 'progress'>): NewEvent {
  return { type: 'status', data: { status, progress } };
}

/** That a session has failed: `{reason, message}`, a word and a sentence for people. */
export function errorEvent(reason: string, message: string): NewEvent {
  return { type: 'error', data: { reason, message } };
}
