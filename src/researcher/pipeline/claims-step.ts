import { QuotaExceeded } from '../../errors.js';
import type { Analyst } from '../analysts/analyst.js';
import { ModelFailed } from '../analysts/model-caller.js';
import { countDropped } from '../verification/report.js';
import type { ClaimVerifier } from '../verification/claim-verifier.js';
import { addDropped, SentenceRoom } from '../verification/sentence-room.js';
import type {
  Claim,
  ProvenSentence,
  RefusedClaim,
  SnapshotSource,
  Support,
} from '../verification/verification.types.js';
import { TokensUsedUp } from './token-budget.js';

/** Claims of all sources together, and their bytes with their quotes: each is an event, and lies in a step. */
const MOST_CLAIMS = 1_000;
const MOST_BYTES = 2_097_152;

/** A sentence with its proof, as its step stores it; the texts of sources are not stored again. */
export type StoredSentence = {
  readonly text: string;
  readonly section: string;
  readonly support: Support;
  readonly quotes: readonly {
    readonly source_id: string;
    readonly quote: string;
    readonly start: number;
    readonly end: number;
  }[];
};

/** What was proven, and how many claims were not, for which reasons. */
export type StoredSentences = {
  readonly sentences: readonly StoredSentence[];
  readonly dropped: Readonly<Record<string, number>>;
};

/**
 * Verifies what an analyst says, and asks it once for other claims in place of those that are refused, where there are
 * tokens for that.
 * @param sources what the claims may quote
 * @throws what the analyst throws; the reason of the signal
 */
export async function provenSentences(
  claims: readonly Claim[],
  sources: readonly SnapshotSource[],
  {
    analyst,
    verifier,
    isRepaired,
    repairFailed,
  }: {
    readonly analyst: Pick<Analyst, 'repair'>;
    readonly verifier: Pick<ClaimVerifier, 'verify' | 'isLate'>;
    /** Whether refused claims are asked for once more. */
    readonly isRepaired: boolean;
    /** Told why they could not be: what is proven already is not lost for it. Absent: that is thrown. */
    readonly repairFailed?: (error: unknown) => void;
  },
): Promise<StoredSentences> {
  const { proven, refused } = await verifier.verify(claims);
  const repaired =
    isRepaired && refused.length > 0 && !verifier.isLate
      ? await repairedClaims(analyst, refused, sources, repairFailed)
      : [];
  const second = repaired.length > 0 ? await verifier.verify(repaired) : undefined;
  // What was repaired is told once: by the second answer where there is one.
  const dropped = second ? stillDropped(refused, second) : refused;
  return {
    sentences: [...proven, ...(second?.proven ?? [])].map(toStored),
    dropped: countDropped(dropped).reasons,
  };
}

async function repairedClaims(
  analyst: Pick<Analyst, 'repair'>,
  refused: readonly RefusedClaim[],
  sources: readonly SnapshotSource[],
  repairFailed: ((error: unknown) => void) | undefined,
): Promise<Claim[]> {
  try {
    return await analyst.repair(refused, sources);
  } catch (error) {
    // What is proven already is not lost for it.
    if (error instanceof TokensUsedUp) return [];
    if (!repairFailed || !(error instanceof QuotaExceeded || error instanceof ModelFailed)) throw error;
    repairFailed(error);
    return [];
  }
}

/** As many of the refused claims as were not proven the second time. */
function stillDropped(
  refused: readonly RefusedClaim[],
  { proven }: { readonly proven: readonly ProvenSentence[] },
): readonly RefusedClaim[] {
  return refused.slice(Math.min(refused.length, proven.length));
}

function toStored({ text, section, support, quotes }: ProvenSentence): StoredSentence {
  return {
    text,
    section,
    support,
    quotes: quotes.map(({ source, quote, start, end }) => ({ source_id: source.id, quote, start, end })),
  };
}

/** A stored sentence with its sources. @param sources by their ids; a sentence with a quote of another is none */
export function toProven(
  { text, section, support, quotes }: StoredSentence,
  sources: ReadonlyMap<string, SnapshotSource>,
): ProvenSentence {
  return {
    text,
    section,
    support,
    quotes: quotes.flatMap(({ source_id: id, quote, start, end }) => {
      const source = sources.get(id);
      return source ? [{ source, quote, start, end }] : [];
    }),
  };
}

/** What is told of a claim when it is proven. */
export function toClaimEvent({ text, section, support, quotes }: StoredSentence) {
  return {
    type: 'claim' as const,
    data: { text, question: section, support, source_ids: [...new Set(quotes.map(({ source_id: id }) => id))] },
  };
}

/** Room for all that the sources of one session, or one request, say. */
export function claimRoom(): SentenceRoom {
  return new SentenceRoom(MOST_CLAIMS, MOST_BYTES);
}

/** What was proven, as far as there is room for it; the rest is counted as dropped. */
export function fittingInto(room: SentenceRoom, { sentences, dropped }: StoredSentences): StoredSentences {
  const fitting = room.fitting(sentences);
  const all = { ...dropped };
  addDropped(all, fitting.dropped);
  return { sentences: fitting.kept, dropped: all };
}
