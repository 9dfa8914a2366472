import type { AudioSettings } from '../backends/backend-settings.js';
import type { AudioTraits } from './engine.types.js';

/** What OpenAI's transcriptions take, and most servers that are like them. */
const MAX_BYTES = 25 * 1024 * 1024;
const MAX_SECONDS = 1_200;

/** What a model server takes and gives of sound; what it does not say is what most do. */
export function audioTraits(settings: AudioSettings = {}): AudioTraits {
  const { languages, voices = [] } = settings;
  return {
    maxSeconds: settings.max_seconds ?? MAX_SECONDS,
    maxBytes: settings.max_bytes ?? MAX_BYTES,
    mediaTypes: 'any',
    givesWords: settings.words ?? true,
    givesSegments: settings.segments ?? true,
    givesSpeakers: settings.speakers ?? false,
    translates: settings.translations ?? true,
    ...(languages && { languages: languages.map(languageOf) }),
    voices: voices.map((id) => ({ id, name: id, language: null })),
  };
}

/** The first part of a language tag (BCP 47) in lower case: `en` of `en-GB`. */
export function languageOf(tag: string): string {
  return (tag.split(/[-_]/)[0] ?? '').toLowerCase();
}
