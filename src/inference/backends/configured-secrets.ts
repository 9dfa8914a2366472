import type { OpenaiSettings } from './backend-settings.js';

/** As callers' own keys have at least; shorter ones, such as `none` or `ollama`, are words that a model may say. */
const SECRET_CHARACTERS = 8;
/** Parts of the names of headers that carry credentials. */
const CREDENTIAL_NAME = /auth|cookie|credential|key|pass|secret|sess|sign|token/i;
/** A header of any other name carries one where its value looks as if it was drawn by lot. */
const RANDOM_VALUE = /^(?=.*\d)(?=.*[a-z])[\w.+/=~-]{20,}$/i;

/** What is configured of a server that no user may see, wherever the server repeats it. */
export function secretsOf({ api_key: apiKey, headers }: Pick<OpenaiSettings, 'api_key' | 'headers'>): string[] {
  const values = Object.entries(headers)
    .filter(([name, value]) => CREDENTIAL_NAME.test(name) || RANDOM_VALUE.test(value))
    // Such as `Bearer …` and `session=…`: it is the value behind the word that is quoted.
    .flatMap(([, value]) => [value, ...value.split(/[\s,;="]+/)]);
  const secrets = [apiKey ?? '', ...values].map((value) => value.trim());
  return [...new Set(secrets)].filter(({ length }) => length >= SECRET_CHARACTERS);
}
