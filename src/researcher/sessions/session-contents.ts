import { In } from 'typeorm';
import type { DataSource } from 'typeorm';
import { BadRequest } from '../../errors.js';
import type { RawResearchReport } from './research-report.types.js';
import { ResearchSession } from './research-session.entity.js';
import { ResearchSource } from './research-source.entity.js';
import { ResearchStep } from './research-step.entity.js';

/** A report may have megabytes. */
const MOST_REPORTS = 20;

type Wanted = readonly Pick<ResearchSession, 'id'>[];

/** Reads what belongs to sessions, by their ids. Whoever asks may see these. */
export class SessionContents {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order in which they were found. */
  async sources(sessions: Wanted): Promise<ReadonlyMap<string, ResearchSource[]>> {
    const order = { sessionId: 'asc', position: 'asc' } as const;
    return grouped(await this.dataSource.manager.find(ResearchSource, { where: { sessionId: ids(sessions) }, order }));
  }

  /** In the order in which they were done, without what they are given again in a run that goes on. */
  async steps(sessions: Wanted): Promise<ReadonlyMap<string, ResearchStep[]>> {
    const select = { sessionId: true, kind: true, hash: true, position: true, title: true, createdTime: true } as const;
    const order = { sessionId: 'asc', position: 'asc' } as const;
    const where = { sessionId: ids(sessions) };
    return grouped(await this.dataSource.manager.find(ResearchStep, { select, where, order }));
  }

  /** The reports of those that have one. @throws BadRequest for those of more sessions than twenty, which may be large */
  async reports(sessions: Wanted): Promise<ReadonlyMap<string, RawResearchReport>> {
    if (sessions.length > MOST_REPORTS) {
      throw new BadRequest(`Please ask for the reports of ${MOST_REPORTS} sessions at most at once.`, 'report');
    }
    const select = { id: true, report: true } as const;
    // What a report may be, it cannot be asked for by.
    const rows = await this.dataSource.manager.find(ResearchSession, {
      select: select as object,
      where: { id: ids(sessions) },
    });
    return new Map(rows.flatMap(({ id, report }) => (report ? [[id, report] as const] : [])));
  }
}

function ids(sessions: Wanted) {
  return In(sessions.map(({ id }) => id));
}

function grouped<Row extends { readonly sessionId: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  return Map.groupBy(rows, ({ sessionId }) => sessionId);
}
