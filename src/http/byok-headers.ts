import type { IncomingHttpHeaders } from 'node:http';
import { BYOK_HEADER } from '../access/caller.js';
import type { ByokKey } from '../access/caller.js';
import { BadRequest } from '../errors.js';

const ORGANIZATION_HEADER = 'x-byok-organization';
/** Visible ASCII but quotes and backslashes; a shorter one could not be told from ordinary words in an answer. */
const KEY = /^[\x21\x23-\x5b\x5d-\x7e]{8,512}$/;
const ORGANIZATION = /^[\x21-\x7e]{1,512}$/;

/**
 * The caller's own key for calls of models; undefined where none is sent.
 * @throws BadRequest that names the header; its value is not repeated
 */
export function readByokKey(headers: IncomingHttpHeaders): ByokKey | undefined {
  const apiKey = headers[BYOK_HEADER];
  const organization = headers[ORGANIZATION_HEADER];
  if (apiKey === undefined) return undefined;
  if (typeof apiKey !== 'string' || !KEY.test(apiKey)) {
    throw new BadRequest(
      `${BYOK_HEADER} must be 8 to 512 visible ASCII characters, no quote or backslash.`,
      BYOK_HEADER,
    );
  }
  if (organization === undefined) return { apiKey };
  if (typeof organization === 'string' && ORGANIZATION.test(organization)) return { apiKey, organization };
  throw new BadRequest(`${ORGANIZATION_HEADER} must be 1 to 512 visible ASCII characters.`, ORGANIZATION_HEADER);
}
