import { findContradictions } from '../contradictions/find-contradictions.js';
import type { Contradiction } from '../contradictions/find-contradictions.js';
import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import type { RawContradiction, RawResearchReport, RawUnanswered } from '../sessions/research-report.types.js';
import { toReport } from '../verification/report.js';
import { addDropped, SentenceRoom } from '../verification/sentence-room.js';
import type { ProvenSentence, SnapshotSource } from '../verification/verification.types.js';
import type { UsedUpLimit } from './run-limits.js';

/** Sentences of a report, and their bytes with all that they cite; its Markdown says them once more. */
const MOST_SENTENCES = 500;
const MOST_BYTES = 1_048_576;

/** How credible a source counts of which nobody says that. */
const UNKNOWN_CREDIBILITY = 0.5;

/** A source that is cited, and how credible it is. */
export type CitedSource = SnapshotSource & { readonly credibility: number | null };

interface ReportParts {
  /** What was asked, the main question first. */
  readonly questions: readonly string[];
  /** What is reported, in its order. */
  readonly sentences: readonly ProvenSentence[];
  /** What sources say, also what is not reported: contradictions are looked for in it. */
  readonly claims: readonly ProvenSentence[];
  readonly sources: ReadonlyMap<string, CitedSource>;
  readonly dropped: Readonly<Record<string, number>>;
  readonly usedUp: UsedUpLimit | undefined;
}

/** Makes the report of what is proven, as far as there is room for it. The same parts make the same bytes. @throws the reason of the signal */
export async function writeReport(
  { questions, sentences, claims, sources, dropped, usedUp }: ReportParts,
  cooperation: CooperativeYield,
): Promise<RawResearchReport> {
  const statements = claims.flatMap(({ quotes }) =>
    quotes.map(({ quote, source }) => ({
      text: quote.replaceAll(/\s+/g, ' ').trim(),
      sourceId: source.id,
      credibility: sources.get(source.id)?.credibility ?? UNKNOWN_CREDIBILITY,
      language: source.language,
    })),
  );
  const contradictions = await findContradictions(statements, cooperation);
  const fitting = new SentenceRoom(MOST_SENTENCES, MOST_BYTES).fitting(sentences);
  const reasons = { ...dropped };
  addDropped(reasons, fitting.dropped);
  const count = Object.values(reasons).reduce((sum, one) => sum + one, 0);
  return {
    ...(await toReport(fitting.kept, cooperation)),
    contradictions: contradictions.map(toRaw),
    unanswered: unansweredOf(questions, sentences, usedUp),
    dropped: { count, reasons },
  };
}

function unansweredOf(
  questions: readonly string[],
  sentences: readonly ProvenSentence[],
  usedUp: UsedUpLimit | undefined,
): RawUnanswered[] {
  const answered = new Set(sentences.map(({ section }) => section));
  const open = questions.filter((question) => !answered.has(question));
  // That a limit has ended it is told also where each question has some answer.
  const told = open.length === 0 && usedUp !== undefined ? questions.slice(0, 1) : open;
  return told.map((question) => ({ question, reason: usedUp ?? 'not_found' }));
}

function toRaw({ kind, sides }: Contradiction): RawContradiction {
  return {
    kind,
    sides: sides.map(({ weight, statements }) => ({
      weight,
      statements: statements.map(({ text, sourceId, credibility }) => ({ text, source_id: sourceId, credibility })),
    })),
  };
}
