import type { DataSource, EntityManager } from 'typeorm';
import { SYSTEM } from '../../platform/audit/audit-event.js';
import { endRecording } from '../recordings/end-recording.js';
import type { RecordingEnding } from '../recordings/end-recording.js';
import { Recording } from '../recordings/recording.entity.js';

/** Of recordings that a live session has stored into, and nobody has ended. */
const IS_ABANDONED = `
  status = 'created' AND live_at IS NOT NULL AND live_at < now() - make_interval(mins => $1)
  AND uploaded_bytes > 0 AND total_bytes IS NULL AND deleted_at IS NULL`;
const FIND = `SELECT id FROM recordings WHERE ${IS_ABANDONED} ORDER BY live_at LIMIT 1000`;
const LOCK = `SELECT FROM recordings WHERE ${IS_ABANDONED} AND id = $2 FOR UPDATE`;

interface AbandonedSessionsParts extends RecordingEnding {
  readonly dataSource: DataSource;
  /** Told when a recording has changed. */
  readonly changed: (recordingId: string) => void;
  /** How long a client may be away before its recording is ended. */
  readonly idleMinutes: number;
}

/** Ends recordings of live sessions whose clients have left without `session.close`, and have not come back. */
export class AbandonedSessions {
  constructor(private readonly parts: AbandonedSessionsParts) {}

  /** Ends those that are due, on whatever replica their sessions were. */
  async end(): Promise<void> {
    const { dataSource, idleMinutes, changed } = this.parts;
    for (const { id } of await dataSource.query<{ id: string }[]>(FIND, [idleMinutes])) {
      if (await dataSource.transaction((tx) => this.endOne(tx, id))) changed(id);
    }
  }

  private async endOne(tx: EntityManager, id: string): Promise<boolean> {
    const { audit, idleMinutes, transcribe } = this.parts;
    const due = await tx.query<object[]>(LOCK, [idleMinutes, id]);
    const recording = due.length === 0 ? null : await tx.findOneBy(Recording, { id });
    if (!recording) return false;
    const { mediaType } = recording;
    await endRecording(tx, recording, { mediaType, actor: SYSTEM, audit, transcribe });
    return true;
  }
}
