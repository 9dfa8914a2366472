import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { contradictsCopy } from '../contradictions/contradicting-copy.js';
import { shinglesOf } from '../reading/text-shingles.js';
import type { UnreadSource } from '../reading/source-reader.js';
import type { SnapshotStore } from '../reading/snapshot-store.js';
import type { ResearchSession } from '../sessions/research-session.entity.js';
import { ResearchSource } from '../sessions/research-source.entity.js';
import type { SnapshotSource } from '../verification/verification.types.js';
import { ReadAhead } from './read-ahead.js';
import type { RunLimits } from './run-limits.js';
import { ReadTexts, sourceOutcome } from './source-step.js';
import type { ChosenSource, SourceResult, SourceText } from './source-step.js';
import type { StepLog } from './step-log.js';

/** Sources that are read at the same time. */
const AT_ONCE = 6;

interface SessionSourcesParts {
  readonly dataSource: DataSource;
  readonly snapshots: SnapshotStore;
  readonly session: ResearchSession;
  readonly steps: StepLog;
  /** Tells what a source says. */
  readonly read: (source: ChosenSource, signal: AbortSignal) => Promise<SourceText | UnreadSource>;
}

/** The sources of one session. */
export class SessionSources {
  private readonly texts = new ReadTexts();

  constructor(private readonly parts: SessionSourcesParts) {}

  /**
   * Reads sources in their order, some ahead of time, each in a step of its own. Where it is too late to fetch any more,
   * those that are fetched already are kept all the same.
   * @param progressOf the share of the session that is done with a source
   * @throws RunEnded, StorageExceeded, Unavailable; the reason of a signal, where some could not be read
   */
  async readAll(
    chosen: readonly ChosenSource[],
    { collecting, working }: Pick<RunLimits, 'collecting' | 'working'>,
    progressOf: (index: number) => number,
  ): Promise<void> {
    const { session, snapshots, steps, read } = this.parts;
    using ahead = new ReadAhead(chosen, AT_ONCE, (source, ended) => read(source, AbortSignal.any([collecting, ended])));
    let isCut = false;
    for (const [index, source] of chosen.entries()) {
      const step = {
        kind: 'fetch',
        input: { source: source.id },
        title: source.url,
        status: 'reading',
        progress: progressOf(index),
      } as const;
      try {
        await steps.once<SourceResult>(step, async () => {
          const text = await ahead.take(source);
          await this.learnTexts(working);
          const isContradicted = (known: string, copy: SourceText) => this.isContradicted(known, copy, working);
          return sourceOutcome(source, text, {
            session,
            snapshots,
            texts: this.texts,
            isContradicted,
            signal: working,
          });
        });
      } catch (error) {
        if (!collecting.aborted || working.aborted || error !== collecting.reason) throw error;
        isCut = true;
      }
    }
    if (isCut) throw collecting.reason;
  }

  /** The sources with their texts, in the order of the ids; those whose text is gone are left out. */
  async load(ids: readonly string[], signal: AbortSignal): Promise<SnapshotSource[]> {
    const rows = new Map((await this.rows()).map((row) => [row.id, row]));
    const loaded: SnapshotSource[] = [];
    for (const id of ids) {
      const row = rows.get(id);
      const text = row?.blobKey ? await this.parts.snapshots.read(row.blobKey, signal) : undefined;
      if (row && text !== undefined) loaded.push({ ...withoutText(row), text });
    }
    return loaded;
  }

  /** All that were read, in their order, without their texts. */
  async read(): Promise<(SnapshotSource & Pick<ResearchSource, 'credibility' | 'sha256'>)[]> {
    const read = (await this.rows()).filter(({ status }) => status === 'read');
    return read.map((row) => ({ ...withoutText(row), credibility: row.credibility, sha256: row.sha256 }));
  }

  private rows(): Promise<ResearchSource[]> {
    const { dataSource, session } = this.parts;
    return dataSource.manager.find(ResearchSource, { where: { sessionId: session.id }, order: { position: 'asc' } });
  }

  private async isContradicted(id: string, copy: SourceText, signal: AbortSignal): Promise<boolean> {
    const [known] = await this.load([id], signal);
    return known !== undefined && contradictsCopy(known.text, copy.text, copy.language, new CooperativeYield(signal));
  }

  /** What earlier runs have read is known again. */
  private async learnTexts(signal: AbortSignal): Promise<void> {
    const unknown = (await this.read()).filter(({ id }) => !this.texts.has(id)).map(({ id }) => id);
    for (const id of unknown) {
      for (const { text } of await this.load([id], signal)) {
        this.texts.add(id, await new CooperativeYield(signal).finish(shinglesOf(text)));
      }
    }
  }
}

/** What tells texts apart that are read together. */
export function digestOf(sources: readonly { readonly id: string; readonly text: string }[]): string {
  const hash = createHash('sha256');
  for (const { id, text } of sources) hash.update(`${id}\n${text.length}\n${text}\n`);
  return hash.digest('hex');
}

function withoutText({ id, finalUrl, url, title, language }: ResearchSource): SnapshotSource {
  return { id, url: finalUrl ?? url, title, language, text: '' };
}
