import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { detectLanguage } from '../../platform/text/language.js';
import { QuotedPassage } from '../../platform/text/quotes/find-quote.js';
import { findGap, LONGEST_CLAIM } from '../../platform/text/support/proof/find-gap.js';
import { ClaimedQuotations } from './claimed-quotations.js';
import { Snapshot } from './snapshot.js';
import type {
  Claim,
  DropReason,
  ProvenQuote,
  ProvenSentence,
  RefusedClaim,
  SnapshotSource,
} from './verification.types.js';
import { findWholeSentences } from './whole-sentences.js';

/** Claims of one answer that are looked at, and quotes of one claim. */
const MOST_CLAIMS = 200;
const MOST_QUOTES = 8;
/** In UTF-16 units. */
const LONGEST = 2_000;
const LEAST_QUOTED = 15;
/** The same without white space and dashes. */
const LEAST_FOLDED = 8;
/** Different addresses of one claim. */
const MOST_ADDRESSES = 8;
/** UTF-16 units that the quotes of one answer are looked for in. */
const MOST_SEARCHED = 500_000_000;

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Co}]/gu;
/** Numbers that a model sets itself; the report has its own. */
const MARKS_AT_END = /(?:\s{0,4}\[\d{1,3}(?:, ?\d{1,3}){0,8}\]){1,8}(?=[.!?]?$)/u;
/** Addresses and what may be taken for one. */
const ADDRESS = /[^\s()<>"]*(?:\/\/|www\.|@|\p{L}\.\p{L}{2})[^\s()<>"]*/gu;

/** A quote as it stands in its source, which others are looked for in: what is done with it alone is done once. */
interface LocatedQuote extends ProvenQuote {
  readonly passage: QuotedPassage;
}

type Outcome = { readonly proven: ProvenSentence } | { readonly reason: DropReason };

/**
 * Checks claims against the kept texts of sources, whoever made them: a sentence stays only where quotes prove it that
 * stand in the sources word for word.
 */
export class ClaimVerifier {
  private readonly snapshots: ReadonlyMap<string, Snapshot>;
  private searched = 0;
  private count = 0;

  /**
   * @param strict keeps only what stands in a source word for word
   * @param cooperation of the whole check, which takes time in proportion to the texts; its signal ends it
   * @param deadline when it is aborted, what was not looked at by then is refused
   */
  constructor(
    sources: readonly SnapshotSource[],
    private readonly strict: boolean,
    private readonly cooperation: CooperativeYield,
    private readonly deadline?: AbortSignal,
  ) {
    this.snapshots = new Map(sources.map((source) => [source.id, new Snapshot(source, cooperation)]));
  }

  /** Whether there is no time to look at anything more. */
  get isLate(): boolean {
    return this.deadline?.aborted ?? false;
  }

  /**
   * The claims that are proven, and those that are not with the first reason. What is refused may be asked for once more
   * and verified in a second call; of all calls together 200 claims are looked at.
   * @throws the reason of the signal
   */
  async verify(claims: readonly Claim[]): Promise<{ proven: ProvenSentence[]; refused: RefusedClaim[] }> {
    const proven: ProvenSentence[] = [];
    const refused: RefusedClaim[] = [];
    for (const claim of claims) {
      const outcome = await this.outcomeOf(claim);
      if ('proven' in outcome) proven.push(outcome.proven);
      else refused.push({ claim, reason: outcome.reason });
      if (this.cooperation.isDue) await this.cooperation.yield();
    }
    return { proven, refused };
  }

  private async outcomeOf(claim: Claim): Promise<Outcome> {
    if (this.isLate) return { reason: 'time' };
    this.count += 1;
    if (this.count > MOST_CLAIMS) return { reason: 'too_many_claims' };
    if (claim.text.length > LONGEST) return { reason: 'too_long' };
    const text = plainSentence(claim.text);
    if (!/[\p{L}\p{N}]/u.test(text)) return { reason: 'empty' };
    const quotes: LocatedQuote[] = [];
    let reason: DropReason = 'no_quote';
    for (const { source, quote } of claim.quotes.slice(0, MOST_QUOTES)) {
      const located = await this.locate(source, quote);
      if (typeof located === 'string') reason = located;
      else if (!quotes.some((known) => isSamePlace(known, located))) quotes.push(withPassage(located));
      if (this.cooperation.isDue) await this.cooperation.yield();
    }
    // One invented quote among true ones proves nothing, and what is left may be enough.
    if (quotes.length === 0) return { reason };
    const { section = '' } = claim;
    const claimed = new ClaimedQuotations(text);
    const verbatim = await this.verbatim(text, quotes, claimed);
    if (verbatim) return { proven: { ...verbatim, section, support: 'verbatim' } };
    const gap = await this.checked(text, quotes, claimed);
    return Array.isArray(gap) ? { proven: { text, section, support: 'checked', quotes: gap } } : { reason: gap };
  }

  private async locate(id: string, written: string): Promise<ProvenQuote | DropReason> {
    const snapshot = this.snapshots.get(id);
    if (!snapshot) return 'unknown_source';
    if (written.length > LONGEST) return 'quote_too_long';
    const quote = written.replaceAll(/\s+/g, ' ').trim();
    if (Array.from(quote.replaceAll(INVISIBLE, '')).length < LEAST_QUOTED) return 'quote_too_short';
    const { source } = snapshot;
    this.searched += source.text.length;
    if (this.searched > MOST_SEARCHED) return 'quote_not_found';
    const found = await snapshot.find(quote, LEAST_FOLDED);
    if (!found) return 'quote_not_found';
    const { start, end } = snapshot.sentencesAround(found);
    if (end - start > LONGEST) return 'quote_too_long';
    return { source, quote: source.text.slice(start, end), start, end };
  }

  /** What stands in quotes as whole sentences, in the letters of the first of them. */
  private async verbatim(
    text: string,
    quotes: readonly LocatedQuote[],
    claimed: ClaimedQuotations,
  ): Promise<{ readonly text: string; readonly quotes: readonly ProvenQuote[] } | undefined> {
    const all: { readonly quote: ProvenQuote; readonly written: string }[] = [];
    for (const { passage, ...quote } of quotes) {
      const span = findWholeSentences(text, quote.quote, passage);
      if (this.cooperation.isDue) await this.cooperation.yield();
      if (!span) continue;
      const place = { start: quote.start + span.start, end: quote.start + span.end };
      const snapshot = this.snapshots.get(quote.source.id);
      if (!snapshot || !(await claimed.mayShow(snapshot, place))) continue;
      all.push({ quote, written: plainSentence(quote.quote.slice(span.start, span.end)) });
      if (this.cooperation.isDue) await this.cooperation.yield();
    }
    const written = all[0]?.written;
    if (written === undefined) return undefined;
    return { text: written, quotes: all.filter((one) => one.written === written).map(({ quote }) => quote) };
  }

  /** Whether each address of a text stands in a quote; more than eight different ones prove nothing. */
  private async hasItsAddresses(text: string, quotes: readonly LocatedQuote[]): Promise<boolean> {
    const addresses = new Set((text.match(ADDRESS) ?? []).map((one) => one.replace(/[.,;:!?]+$/, '')));
    if (addresses.size > MOST_ADDRESSES) return false;
    for (const address of addresses) {
      const found = await this.cooperation.map(quotes, ({ passage }) => passage.find(address) !== undefined);
      if (!found.includes(true)) return false;
    }
    return true;
  }

  /** The quotes that prove a sentence by rules, else why none do: those of one language, since rules are of one. */
  private async checked(
    text: string,
    all: readonly LocatedQuote[],
    claimed: ClaimedQuotations,
  ): Promise<ProvenQuote[] | DropReason> {
    if (this.strict) return 'not_verbatim';
    if (text.length > LONGEST_CLAIM) return 'too_long';
    const said: LocatedQuote[] = [];
    for (const quote of all) {
      const snapshot = this.snapshots.get(quote.source.id);
      if (snapshot && (await claimed.mayCite(snapshot, quote))) said.push(quote);
      if (this.cooperation.isDue) await this.cooperation.yield();
    }
    if (said.length === 0) return 'context';
    if (!(await this.hasItsAddresses(text, said))) return 'address';
    const quotes = said.map(withoutPassage);
    const languages = await Promise.all(
      quotes.map(async (quote) => this.snapshots.get(quote.source.id)?.languageOf(quote)),
    );
    const written = await detectLanguage(text);
    let reason: DropReason = 'language';
    for (const language of ['en', 'de'] as const) {
      if (written !== undefined && written !== language) continue;
      const own = quotes.filter((_, index) => languages[index] === language);
      if (own.length === 0) continue;
      const texts = own.map(({ quote }) => quote);
      // Alone first: then the sentence cites what proves it, and nothing else.
      for (const [index, one] of own.entries()) {
        if ((await findGap(text, [texts[index] ?? ''], language, this.cooperation)) === undefined) return [one];
      }
      const gap = await findGap(text, texts, language, this.cooperation);
      if (gap === undefined) return own;
      reason = gap;
    }
    return reason;
  }
}

function withPassage(quote: ProvenQuote): LocatedQuote {
  return { ...quote, passage: new QuotedPassage(quote.quote) };
}

function withoutPassage({ source, quote, start, end }: LocatedQuote): ProvenQuote {
  return { source, quote, start, end };
}

function isSamePlace(one: ProvenQuote, other: ProvenQuote): boolean {
  return one.source.id === other.source.id && one.start === other.start && one.end === other.end;
}

/** One line without what nobody sees and without marks of citations. */
function plainSentence(written: string): string {
  return written.replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, '').trim().replace(MARKS_AT_END, '').trim();
}
