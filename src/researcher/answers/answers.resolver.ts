import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { AnswerInput, checkedAnswerRequest } from './answers.inputs.js';
import type { AnswersService } from './answers.service.js';
import { AnalysisAnswer, SynthesisAnswer } from './answers.types.js';

const rule = { credential: 'bearer', scope: 'researcher:write', rateLimited: true, stateless: true } as const;
const INPUT = { description: 'The question, and the sources.' };

/** Answers from sources that are given. */
@Resolver()
export class AnswersResolver {
  constructor(private readonly service: AnswersService) {}

  @Access(rule)
  @Query(() => AnalysisAnswer, { description: 'What sources say to a question. Nothing is stored.' })
  async analyzeSources(
    @Arg('input', () => AnswerInput, INPUT) input: AnswerInput,
    @Ctx() context: RequestContext,
  ): Promise<AnalysisAnswer> {
    const request = checkedAnswerRequest(input);
    const { claims, ...analysis } = await this.service.analyze(callerOf(context), request, context.signal);
    const told = claims.map(({ text, support, quotes }) => ({ text, support, quotes }));
    return { object: 'researcher.analysis', ...analysis, claims: told };
  }

  @Access(rule)
  @Query(() => SynthesisAnswer, { description: 'A report on a question from sources. Nothing is stored.' })
  async synthesizeSources(
    @Arg('input', () => AnswerInput, INPUT) input: AnswerInput,
    @Ctx() context: RequestContext,
  ): Promise<SynthesisAnswer> {
    const request = checkedAnswerRequest(input);
    const { report, sources } = await this.service.synthesize(callerOf(context), request, context.signal);
    return { object: 'researcher.synthesis', question: request.question, report, sources };
  }
}
