import type { Logger } from 'pino';
import { BadUpstream, Conflict } from '../../../errors.js';
import { isJsonObject, textOr } from '../../../platform/json/json-object.js';
import type { JsonObject } from '../../../platform/json/json-object.js';
import { TEXT_JSON } from '../../streaming/json-limits.js';
import type { EngineTranslation, TranslationRequest } from '../../translation/engine.types.js';
import type { LanguagePairs } from '../../translation/language-pairs.js';
import type { AnswerOptions, ServedModel } from '../backend.js';
import type { LibretranslateSettings } from '../backend-settings.js';
import { ServerBackend } from '../server-backend.js';
import type { ServerOptions } from '../server-backend.js';
import { readLanguages } from './libretranslate-languages.js';

/** Of one answer, and of all that are being read. */
const ANSWER_LIMITS = { bytes: 8 * 1024 * 1024, milliseconds: 300_000 };
const BUFFERED_BYTES = 64 * 1024 * 1024;
/** What public servers take of one call. */
const LIMITS = { maxTexts: 32, maxCharacters: 4_000 } as const;
const CAPABILITIES = ['translate'] as const;

/** A translation server of LibreTranslate's interface: its languages are asked of `/languages`. */
export class LibretranslateBackend extends ServerBackend {
  readonly kind = 'libretranslate';
  readonly supports = CAPABILITIES;
  private readonly apiKey: string | undefined;

  /** Starts to ask for languages in the background. */
  constructor(settings: LibretranslateSettings, log: Logger, options: ServerOptions = {}) {
    const created = Math.floor(Date.now() / 1000);
    const name = options.name ?? settings.id;
    let wasCut = false;
    const read = (body: Buffer): ServedModel[] => {
      const { pairs, isCut } = readLanguages(body);
      // It is asked again and again, and is told once.
      if (isCut && !wasCut) log.warn({ backend: settings.id }, 'a translation server has more languages than are kept');
      wasCut = isCut;
      return [servedModel(settings, pairs, { name, created })];
    };
    super(
      {
        settings,
        options,
        headers: { accept: 'application/json' },
        bufferedBytes: BUFFERED_BYTES,
        list: { path: '/languages', read },
        models: undefined,
      },
      log,
    );
    this.apiKey = settings.api_key;
  }

  async translate(
    { texts, source, target }: TranslationRequest,
    options: AnswerOptions,
  ): Promise<readonly EngineTranslation[]> {
    const key = options.key?.apiKey ?? this.apiKey;
    const fields = {
      q: texts,
      source: source ?? 'auto',
      target,
      format: 'html',
      ...(key !== undefined && { api_key: key }),
    };
    const message = { path: '/translate', body: JSON.stringify(fields), hasKey: true };
    const response = await this.calls.post('translate', message, options, 'whole');
    const limits = { read: ANSWER_LIMITS, json: TEXT_JSON };
    const answer = await this.calls.readObject('translate', response, options, limits);
    const translations = readTranslations(answer, texts.length);
    if (translations) return translations;
    const error = new BadUpstream('The answer of the translation server is not one translation for each text.');
    throw this.failures.failed('translate', options.callerId, error);
  }

  async answer(): Promise<never> {
    throw unsupported();
  }

  async answerStream(): Promise<never> {
    throw unsupported();
  }

  async transcribe(): Promise<never> {
    throw unsupported();
  }

  async speak(): Promise<never> {
    throw unsupported();
  }
}

function servedModel(
  { models }: LibretranslateSettings,
  pairs: LanguagePairs,
  { name, created }: { readonly name: string; readonly created: number },
): ServedModel {
  const { id, upstream } = models?.[0] ?? { id: name, upstream: name };
  return {
    id,
    upstream,
    created,
    ownedBy: name,
    capabilities: CAPABILITIES,
    translation: { engine: 'libretranslate', pairs, detects: true, ...LIMITS },
  };
}

/** `{translatedText: […], detectedLanguage?: [{language}]}`; a server of old times has no list for one text. */
function readTranslations(
  { translatedText, detectedLanguage }: JsonObject,
  count: number,
): EngineTranslation[] | undefined {
  const texts = Array.isArray(translatedText) ? translatedText : [translatedText];
  const languages = Array.isArray(detectedLanguage) ? detectedLanguage : [detectedLanguage];
  if (texts.length !== count || !texts.every((text) => typeof text === 'string')) return undefined;
  return texts.map((text, index) => {
    const told: unknown = languages[index];
    return { text, detectedLanguage: isJsonObject(told) ? textOr(told.language, null) : null };
  });
}

function unsupported(): Conflict {
  return new Conflict('capability_not_supported', 'A translation server translates, and nothing else.', 'model');
}
