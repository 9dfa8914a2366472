import OpenAI from 'openai';
import type { Gateway } from '../servers/gateway.js';

/** Makes the client of the SDK `openai`, as the administrator of a gateway. @param maxRetries default: none */
export function openaiClient({ platform, token }: Pick<Gateway, 'platform' | 'token'>, maxRetries = 0): OpenAI {
  return new OpenAI({ baseURL: `${platform.url}/v1`, apiKey: token, maxRetries });
}
