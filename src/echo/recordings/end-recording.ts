import type { EntityManager } from 'typeorm';
import type { AuditActor } from '../../platform/audit/audit-event.js';
import type { AuditRecorder } from '../../platform/audit/audit-recorder.js';
import { Recording } from './recording.entity.js';

/** What the end of an upload needs. */
export interface RecordingEnding {
  readonly audit: Pick<AuditRecorder, 'record'>;
  /** Has a recording transcribed whose audio is all there, in the transaction that says so. */
  readonly transcribe: (tx: EntityManager, recording: Recording) => Promise<void>;
}

/** Says that what is stored of a recording, which is locked, is all its audio, and has it transcribed. */
export async function endRecording(
  tx: EntityManager,
  recording: Recording,
  {
    mediaType,
    actor,
    audit,
    transcribe,
  }: RecordingEnding & Pick<Recording, 'mediaType'> & { readonly actor: AuditActor },
): Promise<void> {
  const { id, tenantId, uploadedBytes: totalBytes } = recording;
  const whole = { status: 'uploaded' as const, totalBytes, mediaType, writer: null };
  await tx.update(Recording, { id }, whole);
  await transcribe(tx, Object.assign(recording, whole));
  await audit.record(tx, actor, { tenantId, action: 'recording.upload', target: { type: 'recording', id } });
}
