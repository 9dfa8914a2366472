import type { DataSource } from 'typeorm';
import type { CallOwner } from '../../access/caller.js';
import { BUILTIN_CHAT_MODEL } from '../../inference/domain.js';
import type { Models } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { FairSlots } from '../../platform/async/fair-slots.js';
import type { Analyst } from '../analysts/analyst.js';
import { BuiltinAnalyst } from '../analysts/builtin-analyst.js';
import { ModelAnalyst } from '../analysts/model-analyst.js';
import { ModelCaller } from '../analysts/model-caller.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import type { CredibilityService } from '../credibility/credibility.service.js';
import type { SnapshotStore } from '../reading/snapshot-store.js';
import type { WebSearch } from '../search/web-search.js';
import type { ResearchSession } from '../sessions/research-session.entity.js';
import { SessionSources } from './read-sources.js';
import { Replay } from './replay.js';
import type { RunRequest } from './research-jobs.js';
import { ResearchRun } from './research-run.js';
import type { SessionRights } from './session-rights.js';
import { SourceFinder } from './source-finder.js';
import type { KnowledgeReader, SourceQuery } from './source-finder.js';
import type { SourceTexts } from './source-step.js';
import { TokenBudget } from './token-budget.js';

interface RunOpenerParts {
  readonly dataSource: DataSource;
  readonly models: Pick<Models, 'complete'>;
  readonly web: Pick<WebSearch, 'search' | 'hasProvider'>;
  readonly knowledge: KnowledgeReader;
  readonly credibility: Pick<CredibilityService, 'scoresOf'>;
  readonly snapshots: SnapshotStore;
  readonly texts: SourceTexts;
  readonly rights: Pick<SessionRights, 'requireKnowledge'>;
}

/** Sessions that hold the texts of all of their sources at once, 12,500,000 characters each at most. */
const HEAVY_AT_ONCE = 4;

/** Puts together what the runs of sessions work with. */
export class RunOpener {
  private readonly places = new FairSlots({
    slots: HEAVY_AT_ONCE,
    perOwner: HEAVY_AT_ONCE / 2,
  });

  constructor(private readonly parts: RunOpenerParts) {}

  /** @throws NotFound where the session's configuration of credibility is gone */
  readonly open = async ({ session, steps, limits }: RunRequest): Promise<ResearchRun> => {
    const { dataSource, snapshots, texts, credibility } = this.parts;
    const owner = { tenantId: session.tenantId, userId: session.ownerId, tokenId: session.tokenId };
    const analyst = this.analystOf(session, owner, limits.working);
    const { replayOf: originalId } = session;
    const replay = originalId === null ? undefined : new Replay({ dataSource, snapshots, originalId });
    const scores = replay ? undefined : await credibility.scoresOf(owner, session.credibilityConfigId);
    const sources = new SessionSources({
      dataSource,
      snapshots,
      session,
      steps,
      read: replay?.read ?? ((source, signal) => texts.read(source, { owner, scores, signal })),
    });
    const find = replay ? this.replayed(session, replay) : this.finderOf(session, owner, scores);
    return new ResearchRun({ session, steps, limits, analyst, sources, places: this.places, find });
  };

  private analystOf(session: ResearchSession, owner: CallOwner, signal: AbortSignal): Analyst {
    const cooperation = new CooperativeYield(signal);
    const { id, model, maxTokens } = session;
    if (model === BUILTIN_CHAT_MODEL) return new BuiltinAnalyst(cooperation);
    const budget = new TokenBudget(this.parts.dataSource, id);
    const caller = new ModelCaller({ models: this.parts.models, model, owner, budget, signal });
    const tokensLeft = maxTokens === null ? undefined : () => budget.left('research');
    return new ModelAnalyst({ caller, tokensLeft, cooperation });
  }

  private finderOf(session: ResearchSession, owner: CallOwner, scores: CredibilityScores | undefined) {
    const { web, knowledge } = this.parts;
    const requireKnowledge = () => this.parts.rights.requireKnowledge(session);
    const finder = new SourceFinder({ web, knowledge, scores, requireKnowledge });
    return (asked: SourceQuery, signal: AbortSignal) => finder.find(session, owner, asked, signal);
  }

  private replayed(session: ResearchSession, replay: Replay) {
    return async ({ query }: SourceQuery) => {
      // What was kept of knowledge bases is theirs still.
      await this.parts.rights.requireKnowledge(session);
      return replay.find(query);
    };
  }
}
