import { completion } from '../servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../servers/scripted-backend.js';
import type { AnyJson } from '../probes/any-json.js';

/** The texts of a request to translate, by their names. */
export function textsOf({ body }: Pick<ReceivedRequest, 'body'>): Record<string, string> {
  const prompt: string = body.messages.at(-1).content;
  const fenced = prompt.split(/from="texts to be translated">\n/)[1]?.split(/\n<\/passage-/)[0];
  return JSON.parse(fenced ?? '{}') as Record<string, string>;
}

/** A chat model that translates each text as it is told. @param translate undefined: leaves the text out */
export function translating(
  translate: (text: string, id: string) => string | undefined,
): (request: ReceivedRequest) => Script {
  return (request) => {
    const answers = Object.entries(textsOf(request)).flatMap(([id, text]) => {
      const translated = translate(text, id);
      return translated === undefined ? [] : [[id, translated]];
    });
    return completion(JSON.stringify(Object.fromEntries(answers)));
  };
}

/** What looks like a translation into German: each word becomes another, and all else stays. */
export function toGerman(text: string): string {
  return text.replaceAll(/\p{L}+/gu, (word) => {
    const german = `${word.slice(0, 1)}${word.slice(1).split('').reverse().join('')}`;
    return german === word ? `${word}en` : german;
  });
}

/** What answers `/languages` and `/translate` as LibreTranslate does, for en, de and fr. */
export function libretranslate(
  translate: (text: string) => unknown,
  languages: unknown = languagesOf('en', 'de', 'fr'),
): (request: ReceivedRequest) => Script {
  return ({ path, body }) => {
    if (path.endsWith('/languages')) return { pieces: [JSON.stringify(languages)] };
    const { q, source } = body as AnyJson;
    const detected = { confidence: 90, language: 'en' };
    const answer = {
      translatedText: q.map(translate),
      ...(source === 'auto' && { detectedLanguage: q.map(() => detected) }),
    };
    return { pieces: [JSON.stringify(answer)] };
  };
}

/** Languages of which each is translated into all others. */
export function languagesOf(...codes: string[]): object[] {
  return codes.map((code) => ({ code, name: code, targets: codes }));
}
