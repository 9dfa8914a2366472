import { Field, Float, ID, ObjectType } from 'type-graphql';
import { JsonScalar } from '../../graph/json.scalar.js';
import type { StoredSentence } from '../pipeline/claims-step.js';
import type { RawContradiction, RawResearchReport } from '../sessions/research-report.types.js';

/** What sources say, before it has a form. */
export interface ResearchAnalysis {
  readonly question: string;
  readonly claims: readonly StoredSentence[];
  readonly contradictions: readonly RawContradiction[];
  readonly dropped: RawResearchReport['dropped'];
  readonly sources: readonly AnsweredSource[];
}

/** A source that was given. */
@ObjectType({ simpleResolvers: true, description: 'A source that was given.' })
export class AnsweredSource {
  @Field(() => ID, { description: 'By which claims and citations name it: the same for the same text or page.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Of a page; null for a text.' })
  url!: string | null;

  @Field(() => String, { nullable: true, description: 'As it was given, or as the page has it.' })
  title!: string | null;

  @Field(() => String, { nullable: true, description: 'BCP 47; null where it is not known.' })
  language!: string | null;

  @Field(() => Float, {
    nullable: true,
    description: 'How credible the host is; null for a text, or where nobody says.',
  })
  credibility!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why a page was not read, as a word such as `robots`; else null.',
  })
  reason!: string | null;
}

/** What sources say to a question. */
@ObjectType({ simpleResolvers: true, description: 'What sources say to a question, each claim with its proof.' })
export class AnalysisAnswer {
  @Field(() => String, { description: 'Always `researcher.analysis`.' })
  readonly object = 'researcher.analysis';

  @Field(() => String, { description: 'As it was asked.' })
  question!: string;

  @Field(() => JsonScalar, {
    description: '`[{text, support, quotes: [{source_id, quote, start, end}]}]`: places in the texts of the sources.',
  })
  claims!: readonly object[];

  @Field(() => JsonScalar, { description: 'Where sources say otherwise than others, as in reports.' })
  contradictions!: readonly object[];

  @Field(() => JsonScalar, { description: 'Claims without proof: `{count, reasons}`.' })
  dropped!: object;

  @Field(() => [AnsweredSource], { description: 'Those that were given, each once.' })
  sources!: readonly AnsweredSource[];
}

/** A report from sources. */
@ObjectType({ simpleResolvers: true, description: 'A report from sources that were given.' })
export class SynthesisAnswer {
  @Field(() => String, { description: 'Always `researcher.synthesis`.' })
  readonly object = 'researcher.synthesis';

  @Field(() => String, { description: 'As it was asked.' })
  question!: string;

  @Field(() => JsonScalar, { description: 'As that of a session.' })
  report!: RawResearchReport;

  @Field(() => [AnsweredSource], { description: 'Those that were given, each once.' })
  sources!: readonly AnsweredSource[];
}
