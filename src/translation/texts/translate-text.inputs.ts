import { Field, InputType, registerEnumType } from 'type-graphql';
import { BadRequest, PayloadTooLarge } from '../../errors.js';
import type { Formality, TranslationOptions } from '../engines/translator.js';
import { parseLanguageTag } from '../languages/language-tag.js';
import type { TextFormat } from './text-units.js';

/** What texts are written in, by their names in GraphQL. */
export const TranslationFormat = { text: 'text', html: 'html' } as const satisfies Record<TextFormat, TextFormat>;
registerEnumType(TranslationFormat, {
  name: 'TranslationFormat',
  description: 'What a text is written in.',
  valuesConfig: {
    text: { description: 'Plain text, line by line.' },
    html: { description: 'A document or a fragment of HTML.' },
  },
});

/** How a translation addresses its reader, by its names in GraphQL. */
export const TranslationFormality = {
  default: 'default',
  more: 'more',
  less: 'less',
} as const satisfies Record<Formality, Formality>;
registerEnumType(TranslationFormality, {
  name: 'TranslationFormality',
  description: 'How formally a translation addresses its reader.',
  valuesConfig: {
    default: { description: 'As the engine does by itself.' },
    more: { description: 'Formally.' },
    less: { description: 'Informally.' },
  },
});

const MAX_TEXTS = 1_000;
/** Of all texts together, in UTF-8 bytes. */
const MAX_BYTES = 1024 * 1024;
const MAX_TERMS = 1_000;
const MAX_TERM = 500;
const MAX_CONTEXT = 10_000;
const MAX_MODEL = 256;

/** A term, and what it becomes wherever it stands. */
@InputType({ description: 'A term, and what it becomes wherever it stands.' })
export class GlossaryTermInput {
  @Field(() => String, { description: '1 to 500 characters.' })
  source!: string;

  @Field(() => String, { description: '1 to 500 characters.' })
  target!: string;
}

/** Texts that are to be translated, and how. */
@InputType({ description: 'Texts that are to be translated, and how.' })
export class TranslateTextInput {
  @Field(() => String, { nullable: true, description: 'One text; or `texts`. An empty one stays empty.' })
  text?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Up to 1,000 texts, of 1 MiB and 20,000 lines or blocks together; or `text`.',
  })
  texts?: string[] | null;

  @Field(() => String, { nullable: true, description: 'BCP 47, such as `de` or `pt-BR`; detected by default.' })
  sourceLanguage?: string | null;

  @Field(() => String, { description: 'BCP 47. A region that is not served falls back to its language.' })
  targetLanguage!: string;

  @Field(() => String, {
    nullable: true,
    description: 'A chat model, a translation server’s, or `apertium`; by default the first that serves the languages.',
  })
  model?: string | null;

  @Field(() => TranslationFormat, { nullable: true, description: '`text` by default.' })
  format?: TextFormat | null;

  @Field(() => TranslationFormality, { nullable: true, description: '`default` by default; others by chat models.' })
  formality?: Formality | null;

  @Field(() => [GlossaryTermInput], { nullable: true, description: 'Up to 1,000 terms.' })
  glossary?: GlossaryTermInput[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'What helps to understand the texts, up to 10,000 characters; not translated. Read by chat models.',
  })
  context?: string | null;
}

/** An input that was checked. */
export interface TranslateTextRequest {
  readonly texts: readonly string[];
  /** The field that they came in. */
  readonly field: 'text' | 'texts';
  readonly format: TextFormat;
  readonly options: TranslationOptions;
}

/** @throws BadRequest that names the field; PayloadTooLarge */
export function checkedTextRequest(input: TranslateTextInput): TranslateTextRequest {
  const { sourceLanguage, targetLanguage, model, format, formality, glossary, context } = input;
  const texts = checkedTexts(input);
  const terms = (glossary ?? []).map(checkedTerm);
  if (terms.length > MAX_TERMS) throw new BadRequest(`glossary must have ${MAX_TERMS} terms at most.`, 'glossary');
  if ((context ?? '').length > MAX_CONTEXT) {
    throw new BadRequest(`context must have ${MAX_CONTEXT} characters at most.`, 'context');
  }
  if (typeof model === 'string' && (model === '' || model.length > MAX_MODEL)) {
    throw new BadRequest(`model must have 1 to ${MAX_MODEL} characters.`, 'model');
  }
  const source = sourceLanguage ?? undefined;
  return {
    texts,
    field: typeof input.text === 'string' ? 'text' : 'texts',
    format: format ?? 'text',
    options: {
      source: source === undefined ? undefined : parseLanguageTag(source, 'source_language').tag,
      target: parseLanguageTag(targetLanguage, 'target_language').tag,
      model: model ?? undefined,
      formality: formality ?? undefined,
      glossary: terms,
      context: context?.toWellFormed() || undefined,
    },
  };
}

function checkedTexts({ text, texts }: TranslateTextInput): string[] {
  const hasText = text !== undefined && text !== null;
  if (hasText === (texts !== undefined && texts !== null)) throw new BadRequest('Send text, or texts.', 'text');
  const all = hasText ? [text] : (texts ?? []);
  if (all.length < 1 || all.length > MAX_TEXTS) {
    throw new BadRequest(`texts must have 1 to ${MAX_TEXTS} entries.`, 'texts');
  }
  const bytes = all.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  if (bytes > MAX_BYTES) throw new PayloadTooLarge(MAX_BYTES, hasText ? 'text' : 'texts');
  return all.map((one) => one.toWellFormed());
}

function checkedTerm({ source, target }: GlossaryTermInput) {
  const isTerm = [source, target].every((term) => term.trim() !== '' && term.length <= MAX_TERM);
  if (!isTerm) throw new BadRequest(`The terms of glossary must have 1 to ${MAX_TERM} characters.`, 'glossary');
  return { source: source.trim().toWellFormed(), target: target.trim().toWellFormed() };
}
