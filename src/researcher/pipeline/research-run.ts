import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { PlatformError } from '../../errors.js';
import type { FairSlots } from '../../platform/async/fair-slots.js';
import type { Analyst, KnownSoFar, PlannedQuestions } from '../analysts/analyst.js';
import type { RawResearchReport } from '../sessions/research-report.types.js';
import type { ResearchSession } from '../sessions/research-session.entity.js';
import { ClaimVerifier } from '../verification/claim-verifier.js';
import { addDropped } from '../verification/sentence-room.js';
import type { ProvenSentence, SnapshotSource } from '../verification/verification.types.js';
import { claimRoom, fittingInto, provenSentences, toClaimEvent, toProven } from './claims-step.js';
import type { StoredSentence, StoredSentences } from './claims-step.js';
import { digestOf } from './read-sources.js';
import type { SessionSources } from './read-sources.js';
import { writeReport } from './report-writer.js';
import type { CitedSource } from './report-writer.js';
import type { RunLimits } from './run-limits.js';
import { SearchFailed } from './search-failed.js';
import { chooseSources } from './source-hit.js';
import type { SourceHit } from './source-hit.js';
import type { FoundSources, SourceQuery } from './source-finder.js';
import type { StepLog } from './step-log.js';

const NOTHING_KNOWN: KnownSoFar = { unanswered: [], told: [], toldByBases: [] };

/** The shares of a session that are done when the sources of a round are found, read, and its claims are proven. */
const SHARES = { found: 0.2, read: 0.6, analyzed: 0.8 } as const;

/** As its step stores it. */
type StoredPlan = Pick<PlannedQuestions, 'questions'> & Partial<Pick<PlannedQuestions, 'ofBases'>>;

interface ResearchRunParts {
  readonly session: ResearchSession;
  readonly steps: StepLog;
  readonly limits: RunLimits;
  readonly analyst: Analyst;
  readonly sources: SessionSources;
  /** Sessions of this process that hold many texts at the same time. */
  readonly places: Pick<FairSlots, 'take'>;
  /** Finds sources for a query. */
  readonly find: (asked: SourceQuery, signal: AbortSignal) => Promise<FoundSources>;
}

/** One run of a session, up to its report. What an earlier run has done is not done again. */
export class ResearchRun {
  private readonly questions: string[] = [];
  /** Those of the questions that no search provider is asked. */
  private readonly ofBases = new Set<string>();
  private readonly chosen = new Set<string>();
  /** Those that are pages of the web. */
  private readonly pages = new Set<string>();
  private readonly claims: StoredSentence[] = [];
  private readonly room = claimRoom();
  private readonly dropped: Record<string, number> = {};
  private readonly cooperation: CooperativeYield;

  constructor(private readonly parts: ResearchRunParts) {
    this.cooperation = new CooperativeYield(parts.limits.stopped);
  }

  /**
   * Researches, round after round, until all is answered as far as the analyst can tell, a round adds nothing, or a limit
   * is used up.
   * @throws SearchFailed, RunEnded; what the model, the knowledge bases or the store throw; the reason of the signal
   */
  async run(): Promise<RawResearchReport> {
    const { session, limits } = this.parts;
    try {
      for (let round = 1; round <= session.depth; round += 1) {
        const added = await this.doRound(round);
        const isAnswered = this.unanswered.length === 0 && !this.parts.analyst.looksFurther;
        if (added === 0 || isAnswered || limits.usedUp !== undefined) break;
      }
    } catch (error) {
      limits.absorb(error);
    }
    return this.report();
  }

  /** What leads to the questions of a later round, apart by who may be asked them. */
  private get known(): KnownSoFar {
    const { question } = this.parts.session;
    const claims = this.claims.filter(({ section }) => section === question);
    const isOfWeb = ({ quotes }: StoredSentence) => quotes.every(({ source_id: id }) => this.pages.has(id));
    return {
      unanswered: this.unanswered.filter((one) => !this.ofBases.has(one)),
      told: claims.filter(isOfWeb).map(({ text }) => text),
      toldByBases: claims.filter((claim) => !isOfWeb(claim)).map(({ text }) => text),
    };
  }

  private get unanswered(): string[] {
    const answered = new Set(this.claims.map(({ section }) => section));
    return this.questions.filter((question) => !answered.has(question));
  }

  /** @returns how many claims it has added */
  private async doRound(round: number): Promise<number> {
    const questions = await this.plan(round);
    if (questions.length === 0) return 0;
    const hits = await this.search(questions, round);
    const { session, sources, limits } = this.parts;
    const most = Math.ceil((session.maxSources * round) / session.depth) - this.chosen.size;
    const chosen = chooseSources(hits, this.chosen, most).map((hit, index) => ({
      ...hit,
      position: this.chosen.size + index,
    }));
    for (const { id, knowledgebase_id: baseId } of chosen) {
      this.chosen.add(id);
      if (baseId === null) this.pages.add(id);
    }
    try {
      await sources.readAll(chosen, limits, (index) =>
        this.progressOf(round, SHARES.found + ((SHARES.read - SHARES.found) * (index + 1)) / chosen.length),
      );
    } catch (error) {
      limits.absorb(error);
    }
    return this.analyze(new Set(chosen.map(({ id }) => id)), round);
  }

  private async plan(round: number): Promise<readonly string[]> {
    const { session, steps, analyst } = this.parts;
    const { question } = session;
    const known = round === 1 ? NOTHING_KNOWN : this.known;
    const { toldByBases, ...others } = known;
    const { questions, ofBases = [] } = await steps.once<StoredPlan>(
      {
        kind: 'plan',
        input: { round, question, ...others, ...(toldByBases.length > 0 && { toldByBases }) },
        title: question,
        status: 'searching',
        progress: this.progressOf(round, 0),
      },
      async () => ({ result: { ...(await analyst.plan(question, round, known)) }, events: [] }),
    );
    for (const one of ofBases) if (!this.questions.includes(one)) this.ofBases.add(one);
    const asked = [...ofBases, ...questions].filter((one) => !this.questions.includes(one));
    this.questions.push(...asked);
    return asked;
  }

  /** What each query has found. A query that could not be asked is asked again by the next run. */
  private async search(queries: readonly string[], round: number): Promise<SourceHit[][]> {
    const { steps, find, limits } = this.parts;
    const found: SourceHit[][] = [];
    let failure: PlatformError | undefined;
    for (const [index, query] of queries.entries()) {
      const progress = this.progressOf(round, (SHARES.found * (index + 1)) / queries.length);
      try {
        const { hits } = await steps.once<{ hits: SourceHit[] }>(
          { kind: 'query', input: { query }, title: query, status: 'searching', progress },
          async () => {
            const asked = { query, isOfBases: this.ofBases.has(query) };
            const { hits, failure: reason } = await find(asked, limits.collecting);
            if (reason && hits.length === 0) throw new SearchFailed(reason);
            return {
              result: { hits: [...hits] },
              events: [{ type: 'query', data: { query, found: hits.length } }],
            };
          },
        );
        found.push(hits);
      } catch (error) {
        if (!(error instanceof SearchFailed)) throw error;
        limits.collecting.throwIfAborted();
        failure = error.cause;
      }
    }
    if (failure && found.length === 0 && round === 1) throw new SearchFailed(failure);
    return found;
  }

  /** @param chosen of which some were read */
  private async analyze(chosen: ReadonlySet<string>, round: number): Promise<number> {
    const { analyst, sources, limits } = this.parts;
    const read = (await sources.read()).filter(({ id }) => chosen.has(id));
    const before = this.claims.length;
    const groups = analyst.group(read);
    for (const [index, group] of groups.entries()) {
      using _ = await this.place();
      const loaded = await sources.load(
        group.map(({ id }) => id),
        limits.working,
      );
      const share = SHARES.read + ((SHARES.analyzed - SHARES.read) * (index + 1)) / groups.length;
      await this.claim(loaded, this.progressOf(round, share));
    }
    return this.claims.length - before;
  }

  /** Waits until this session may hold many texts, where its analyst needs them. @throws the reason of the signal */
  private async place(): Promise<Disposable> {
    const { analyst, limits, places, session } = this.parts;
    const release = analyst.isHeavy ? await places.take(session.ownerId, limits.working) : undefined;
    return { [Symbol.dispose]: () => release?.() };
  }

  private async claim(sources: readonly SnapshotSource[], progress: number): Promise<void> {
    const { session, steps, analyst, limits } = this.parts;
    const { questions } = this;
    let failure: unknown;
    const stored = await steps.once<StoredSentences>(
      {
        kind: 'claims',
        input: { questions, sources: digestOf(sources) },
        title: sources
          .map(({ url }) => url)
          .join(' ')
          .slice(0, 2_000),
        status: 'analyzing',
        progress,
      },
      async () => {
        const verifier = new ClaimVerifier(sources, session.strict, this.cooperation, limits.working);
        const claims = await analyst.claims(questions, sources);
        const repairFailed = (error: unknown): void => void (failure = error);
        const proven = await provenSentences(claims, sources, { analyst, verifier, isRepaired: true, repairFailed });
        const result = fittingInto(this.room, proven);
        return { result, events: result.sentences.map(toClaimEvent) };
      },
    );
    this.room.take(stored.sentences);
    this.claims.push(...stored.sentences);
    this.drop(stored);
    if (failure !== undefined) throw failure;
    if (limits.working.aborted) limits.absorb(limits.working.reason);
  }

  private async report(): Promise<RawResearchReport> {
    const { limits, session, sources } = this.parts;
    const read = new Map<string, CitedSource>((await sources.read()).map((source) => [source.id, source]));
    const claims = this.claims.map((stored) => toProven(stored, read));
    const sentences: ProvenSentence[] = [];
    for (const question of this.questions) {
      const own = claims.filter(({ section }) => section === question);
      if (own.length > 0) sentences.push(...(await this.section(question, own, read)));
    }
    const questions = this.questions.length > 0 ? this.questions : [session.question];
    const { dropped } = this;
    return writeReport(
      { questions, sentences, claims, sources: read, dropped, usedUp: limits.usedUp },
      this.cooperation,
    );
  }

  /** A part of the report; where no sentence of it is proven, or a limit is used up, its claims as they are. */
  private async section(
    question: string,
    claims: readonly ProvenSentence[],
    read: ReadonlyMap<string, CitedSource>,
  ): Promise<readonly ProvenSentence[]> {
    const { limits } = this.parts;
    if (limits.usedUp === 'max_seconds') return claims;
    try {
      const written = await this.writeSection(question, claims);
      if (written.length > 0) return written.map((stored) => toProven(stored, read));
    } catch (error) {
      limits.absorb(error);
    }
    return claims;
  }

  private async writeSection(question: string, claims: readonly ProvenSentence[]): Promise<readonly StoredSentence[]> {
    const { session, steps, analyst, sources, limits } = this.parts;
    const input = claims.map(({ text, quotes }) => ({
      text,
      quotes: quotes.map(({ source, quote }) => [source.id, quote]),
    }));
    const stored = await steps.once<StoredSentences>(
      { kind: 'section', input: { question, claims: input }, title: question, status: 'synthesizing', progress: 0.9 },
      async () => {
        const ids = new Set(claims.flatMap(({ quotes }) => quotes.map(({ source }) => source.id)));
        const sentences = await analyst.write({ question, claims });
        using _ = await this.place();
        const loaded = await sources.load([...ids], limits.working);
        const verifier = new ClaimVerifier(loaded, session.strict, this.cooperation, limits.working);
        const result = await provenSentences(sentences, loaded, { analyst, verifier, isRepaired: false });
        const { sentences: proven } = result;
        const texts = (proven.length > 0 ? proven : claims).map(({ text }) => text);
        return { result, events: [{ type: 'section', data: { title: question, sentences: texts } }] };
      },
    );
    this.drop(stored);
    return stored.sentences;
  }

  private drop({ dropped }: StoredSentences): void {
    addDropped(this.dropped, dropped);
  }

  /** The share of the session that is done with so much of a round. */
  private progressOf(round: number, share: number): number {
    return ((round - 1 + share) / this.parts.session.depth) * SHARES.analyzed;
  }
}
