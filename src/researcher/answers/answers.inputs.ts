import { Field, InputType } from 'type-graphql';
import { BadRequest } from '../../errors.js';
import { BUILTIN_CHAT_MODEL } from '../../inference/domain.js';
import { cleanText } from '../../platform/extraction/web/clean-text.js';
import { readableName } from '../../platform/text/name.js';

const MAX_SOURCES = 20;
const MAX_QUESTION = 2_000;
/** Of all texts together, in UTF-16 units. */
const MAX_TEXTS = 2_000_000;
const MAX_TITLE = 500;

/** A source that is given: a text, or a page. */
@InputType({ description: 'A text, or the page at a `url`.' })
export class AnswerSourceInput {
  @Field(() => String, { nullable: true, description: 'What it says; or `url`.' })
  text?: string | null;

  @Field(() => String, { nullable: true, description: 'A page of the web; or `text`.' })
  url?: string | null;

  @Field(() => String, { nullable: true, description: 'How it is cited; of a page its own by default.' })
  title?: string | null;
}

/** A question, and the sources that are to answer it. */
@InputType({ description: 'A question, and the sources that are to answer it.' })
export class AnswerInput {
  @Field(() => String, { description: '1 to 2,000 characters.' })
  question!: string;

  @Field(() => [AnswerSourceInput], { description: '1 to 20; their texts have 2,000,000 characters at most.' })
  sources!: AnswerSourceInput[];

  @Field(() => String, { nullable: true, description: 'A chat model; the builtin one by default.' })
  model?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether only what stands in a source word for word is kept; false by default.',
  })
  strict?: boolean | null;
}

/** A source as it was given. */
export interface GivenSource {
  readonly text?: string;
  readonly url?: string;
  readonly title?: string;
}

/** An input that was checked. */
export interface AnswerRequest {
  readonly question: string;
  readonly sources: readonly GivenSource[];
  readonly model: string;
  readonly strict: boolean;
}

/** @throws BadRequest that names the field */
export function checkedAnswerRequest({ question, sources, model, strict }: AnswerInput): AnswerRequest {
  const asked = question.trim().toWellFormed();
  if (!/[\p{L}\p{N}]/u.test(asked) || [...asked].length > MAX_QUESTION) {
    throw new BadRequest(`question must have 1 to ${MAX_QUESTION} characters.`, 'question');
  }
  if (sources.length < 1 || sources.length > MAX_SOURCES) {
    throw new BadRequest(`sources must have 1 to ${MAX_SOURCES} entries.`, 'sources');
  }
  const given = sources.map(checkedSource);
  const length = given.reduce((sum, { text = '' }) => sum + text.length, 0);
  if (length > MAX_TEXTS) throw new BadRequest(`sources must have ${MAX_TEXTS} characters at most.`, 'sources');
  return { question: asked, sources: given, model: model ?? BUILTIN_CHAT_MODEL, strict: strict ?? false };
}

function checkedSource({ text, url, title }: AnswerSourceInput): GivenSource {
  const hasText = text !== undefined && text !== null;
  if (hasText === (url !== undefined && url !== null)) {
    throw new BadRequest('A source has either a text or a url.', 'sources');
  }
  if ((title ?? '').length > MAX_TITLE) {
    throw new BadRequest(`The title of a source has ${MAX_TITLE} characters at most.`, 'sources');
  }
  // As the titles of pages: it stands in reports.
  const shown = readableName(cleanText(title ?? ''), MAX_TITLE);
  return { ...(hasText ? { text } : { url: url ?? '' }), ...(shown !== '' && { title: shown }) };
}
