import type { EntityManager } from 'typeorm';
import { addLiveEvents } from '../live/live-event-log.js';
import type { NewLiveEvent } from '../live/live-event-log.js';
import type { Recording } from '../recordings/recording.entity.js';
import type { RunTransaction } from '../results/transcript-store.js';
import type { TranscriptionChunk } from './transcription-chunk.entity.js';
import type { TranscriptionFailure } from './transcription-failure.js';

const TOLD = `
  SELECT DISTINCT data->>'item_id' AS "itemId" FROM live_events
  WHERE recording_id = $1 AND (data->>'run')::integer = $2 AND data->>'item_id' IS NOT NULL`;

/** The run that is told of. */
type ToldRun = Pick<Recording, 'id' | 'run' | 'liveAt'>;

/**
 * Tells those who watch what is said in a recording while it is transcribed, each chunk once, whatever the number of
 * attempts. Of a recording of a live session its session has told all.
 */
export class RunEvents {
  private readonly told = new Set<string>();

  constructor(
    private readonly run: ToldRun,
    private readonly transaction: RunTransaction,
  ) {}

  /** Reads what earlier attempts have told. */
  async open(manager: EntityManager): Promise<void> {
    const { id, run } = this.run;
    const rows = await manager.query<{ itemId: string }[]>(TOLD, [id, run]);
    for (const { itemId } of rows) this.told.add(itemId);
  }

  /** Tells a chunk, in which nothing changes any more. @throws RunEnded */
  async tell(chunk: TranscriptionChunk): Promise<void> {
    const itemId = `run_${this.run.run}_${chunk.position}`;
    if (this.told.has(itemId)) return;
    this.told.add(itemId);
    const events = chunkEvents(chunk, itemId);
    if (events.length > 0) await this.transaction((tx) => addRunEvents(tx, this.run, events));
  }
}

/** Tells that a run has begun. The recording is locked. */
export function tellBegun(tx: EntityManager, run: ToldRun): Promise<void> {
  return addRunEvents(tx, run, [{ type: 'STATUS', data: { status: 'started' } }]);
}

/** Tells that a run is over. @param failure undefined: the transcript is there */
export function tellEnded(
  tx: EntityManager,
  run: ToldRun,
  failure?: Pick<TranscriptionFailure, 'message' | 'reason'>,
): Promise<void> {
  const error = failure && { code: failure.reason, message: failure.message };
  return addRunEvents(tx, run, [
    ...(error ? [{ type: 'STATUS', data: { status: 'failed', error } } as const] : []),
    { type: 'STATUS', data: { status: 'ended' } },
  ]);
}

async function addRunEvents(
  tx: EntityManager,
  { id, run, liveAt }: ToldRun,
  events: readonly NewLiveEvent[],
): Promise<void> {
  if (liveAt !== null) return;
  const ofRun = events.map(({ type, data }) => ({ type, data: { ...data, run } }));
  await addLiveEvents(tx, id, ofRun);
}

/** Who speaks is known of the whole recording alone. */
function chunkEvents({ answer, failure }: TranscriptionChunk, itemId: string): NewLiveEvent[] {
  if (failure !== null) {
    const error = { code: failure, message: 'What was said here could not be transcribed.' };
    return [{ type: 'STATUS', data: { status: 'failed', item_id: itemId, turns: 1, error } }];
  }
  const segments = answer?.segments ?? [];
  const [first, last] = [segments[0], segments.at(-1)];
  if (!answer || !first || !last) return [];
  const mark = answer.isLoop || answer.hasFalseTimes ? { low_confidence: true } : {};
  const common = { item_id: itemId, speaker: null, ...mark };
  const partial = segments.map(({ text, start, end }): NewLiveEvent => {
    return { type: 'PARTIAL', data: { ...common, text, start: rounded(start), end: rounded(end) } };
  });
  const { speaker: _none, ...whole } = common;
  const text = segments.map((segment) => segment.text).join(' ');
  const place = { start: rounded(first.start), end: rounded(last.end) };
  return [...partial, { type: 'FINAL', data: { ...whole, text, ...place } }];
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
