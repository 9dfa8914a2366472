import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Caller } from '../../access/caller.js';
import { BadRequest, RateLimited } from '../../errors.js';
import { BUILTIN_CHAT_MODEL } from '../../inference/domain.js';
import type { Models } from '../../inference/domain.js';
import { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { FairSlots } from '../../platform/async/fair-slots.js';
import { detectLanguage } from '../../platform/text/language.js';
import type { Analyst } from '../analysts/analyst.js';
import { BuiltinAnalyst } from '../analysts/builtin-analyst.js';
import { ModelAnalyst } from '../analysts/model-analyst.js';
import { ModelCaller, ModelFailed } from '../analysts/model-caller.js';
import type { CredibilityScores } from '../credibility/credibility-scores.js';
import type { CredibilityService } from '../credibility/credibility.service.js';
import { claimRoom, fittingInto, provenSentences, toProven } from '../pipeline/claims-step.js';
import type { StoredSentence } from '../pipeline/claims-step.js';
import { writeReport } from '../pipeline/report-writer.js';
import type { CitedSource } from '../pipeline/report-writer.js';
import { sourceIdOf } from '../pipeline/source-hit.js';
import { MOST_TEXT } from '../reading/source-reader.js';
import type { SourceReader } from '../reading/source-reader.js';
import type { RawResearchReport } from '../sessions/research-report.types.js';
import { ClaimVerifier } from '../verification/claim-verifier.js';
import { addDropped } from '../verification/sentence-room.js';
import type { AnswerRequest, GivenSource } from './answers.inputs.js';
import type { AnsweredSource, ResearchAnalysis } from './answers.types.js';

/** Sources that are fetched at the same time. */
const AT_ONCE = 4;

/** Requests of one user that are worked on at once, and those that wait, each with its sources. */
const AT_ONCE_FOR_USER = 2;
const WAITING_FOR_USER = 10;

interface AnswersServiceParts {
  readonly models: Pick<Models, 'complete' | 'check'>;
  readonly reader: Pick<SourceReader, 'read'>;
  readonly credibility: Pick<CredibilityService, 'scoresOf'>;
}

/** A source that was given, with its text where it could be read. */
type ReadGiven = AnsweredSource & { readonly text: string };

/** What is worked with for one request. */
interface Work {
  readonly request: AnswerRequest;
  readonly sources: readonly ReadGiven[];
  readonly analyst: Analyst;
  readonly cooperation: CooperativeYield;
}

/** Answers questions from sources that are given. Nothing is stored. */
export class AnswersService {
  /** By user alone: what is computed has turns of its own, and who waits for a silent model holds nobody else up. */
  private readonly places = new FairSlots({
    slots: Number.POSITIVE_INFINITY,
    perOwner: AT_ONCE_FOR_USER,
    waiting: WAITING_FOR_USER,
    refusal: tooMany,
  });

  constructor(private readonly parts: AnswersServiceParts) {}

  /**
   * What sources say to a question, each claim with quotes that prove it.
   * @throws BadRequest that names the field; RateLimited where too many of the caller's wait; what the model throws; the
   * reason of the signal
   */
  async analyze(caller: Caller, request: AnswerRequest, signal: AbortSignal): Promise<ResearchAnalysis> {
    using _ = await this.place(caller, signal);
    const work = await this.begin(caller, request, signal);
    const { claims, dropped } = await this.claims(work);
    const cited = toCited(work.sources);
    const proven = claims.map((claim) => toProven(claim, cited));
    const { contradictions, dropped: counted } = await writeReport(
      { questions: [request.question], sentences: [], claims: proven, sources: cited, dropped, usedUp: undefined },
      work.cooperation,
    );
    return { question: request.question, claims, contradictions, dropped: counted, sources: work.sources };
  }

  /** A report on a question, made of what sources say. @throws as `analyze` does */
  async synthesize(
    caller: Caller,
    request: AnswerRequest,
    signal: AbortSignal,
  ): Promise<{ readonly report: RawResearchReport; readonly sources: readonly AnsweredSource[] }> {
    using _ = await this.place(caller, signal);
    const work = await this.begin(caller, request, signal);
    const { claims, dropped } = await this.claims(work);
    const cited = toCited(work.sources);
    const proven = claims.map((claim) => toProven(claim, cited));
    const sentences = proven.length === 0 ? [] : await this.write(work, proven, dropped);
    const report = await writeReport(
      {
        questions: [request.question],
        sentences: sentences.length > 0 ? sentences.map((one) => toProven(one, cited)) : proven,
        claims: proven,
        sources: cited,
        dropped,
        usedUp: undefined,
      },
      work.cooperation,
    );
    return { report, sources: work.sources };
  }

  /** @throws RateLimited; the reason of the signal */
  private async place({ userId }: Caller, signal: AbortSignal): Promise<Disposable> {
    return { [Symbol.dispose]: await this.places.take(userId, signal) };
  }

  private async begin(caller: Caller, request: AnswerRequest, signal: AbortSignal): Promise<Work> {
    const { models, credibility } = this.parts;
    const { model } = request;
    if (model !== BUILTIN_CHAT_MODEL) await models.check(caller, model, 'chat');
    const scores = await credibility.scoresOf(caller);
    const limit = pLimit(AT_ONCE);
    const sources = await limit.map(request.sources, (source) => this.read(caller, source, scores, signal));
    const cooperation = new CooperativeYield(signal);
    const analyst =
      model === BUILTIN_CHAT_MODEL
        ? new BuiltinAnalyst(cooperation)
        : new ModelAnalyst({ caller: new ModelCaller({ models, model, owner: caller, signal }), cooperation });
    return { request, sources: unique(sources), analyst, cooperation };
  }

  private async read(
    caller: Caller,
    { text, url, title }: GivenSource,
    scores: CredibilityScores | undefined,
    signal: AbortSignal,
  ): Promise<ReadGiven> {
    if (text !== undefined) {
      const given = text.slice(0, MOST_TEXT).toWellFormed();
      const id = sourceIdOf({ url: '', file_id: createHash('sha256').update(given).digest('hex') });
      const language = (await detectLanguage(given)) ?? null;
      return { id, url: null, title: title ?? null, language, credibility: null, reason: null, text: given };
    }
    const { href } = pageUrlOf(url ?? '');
    const id = sourceIdOf({ url: href, file_id: null });
    const read = await this.parts.reader.read(href, { owner: caller.userId, signal });
    const finalUrl = 'status' in read ? href : read.finalUrl;
    const credibility = scores?.scoreOfPage(href, finalUrl) ?? null;
    const named = { id, url: href, title: title ?? null, credibility };
    const unread = { ...named, language: null, text: '' };
    if ('status' in read) return { ...unread, reason: read.reason };
    if ((credibility ?? 1) < (scores?.minScore ?? 0)) return { ...unread, reason: 'low_credibility' };
    const { page } = read;
    return {
      ...named,
      title: title ?? (page.title === '' ? null : page.title),
      language: page.language,
      reason: null,
      text: page.text.slice(0, MOST_TEXT).toWellFormed(),
    };
  }

  /** @throws as `analyze` does */
  private async claims({ request, sources, analyst, cooperation }: Work) {
    const { question, strict } = request;
    const dropped: Record<string, number> = {};
    const claims: StoredSentence[] = [];
    const room = claimRoom();
    const readable = sources.filter(({ reason }) => reason === null).map(toSnapshot);
    for (const group of analyst.group(readable)) {
      const verifier = new ClaimVerifier(group, strict, cooperation);
      const told = await asked(() => analyst.claims([question], group));
      const all = await asked(() => provenSentences(told, group, { analyst, verifier, isRepaired: true }));
      const proven = fittingInto(room, all);
      room.take(proven.sentences);
      claims.push(...proven.sentences);
      addDropped(dropped, proven.dropped);
    }
    return { claims, dropped };
  }

  private async write(
    { request, sources, analyst, cooperation }: Work,
    proven: readonly ReturnType<typeof toProven>[],
    dropped: Record<string, number>,
  ): Promise<readonly StoredSentence[]> {
    const readable = sources.filter(({ reason }) => reason === null).map(toSnapshot);
    const verifier = new ClaimVerifier(readable, request.strict, cooperation);
    const told = await asked(() => analyst.write({ question: request.question, claims: proven }));
    const written = await provenSentences(told, readable, { analyst, verifier, isRepaired: false });
    addDropped(dropped, written.dropped);
    return written.sentences;
  }
}

/** Whoever asks is told why a model server has failed. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof ModelFailed ? error.cause : error;
  }
}

/** @throws BadRequest */
function pageUrlOf(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new BadRequest('A source has a text, or the url of a page.', 'sources');
}

function unique(sources: readonly ReadGiven[]): ReadGiven[] {
  return [...new Map(sources.map((source) => [source.id, source])).values()];
}

function toSnapshot({ id, url, title, language, text }: ReadGiven) {
  return { id, url: url ?? '', title, language, text };
}

function toCited(sources: readonly ReadGiven[]): Map<string, CitedSource> {
  return new Map(sources.map((source) => [source.id, { ...toSnapshot(source), credibility: source.credibility }]));
}

function tooMany(): RateLimited {
  const message = `At most ${WAITING_FOR_USER} of your analyses and syntheses may wait. Please wait for one of them.`;
  return new RateLimited(message, { limit: WAITING_FOR_USER, remaining: 0, resetSeconds: 1 });
}
