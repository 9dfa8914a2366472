/** What stands in the place of a token; a request may be called so. */
const MASK = 'masked-token';

/**
 * The forms of this server's own tokens: personal access tokens and access tokens, wherever they stand, and the random
 * ones (refresh tokens, secrets, those of mails), which are 32 bytes or more in base64url. Ids of others that are as long
 * have letters of one case: hashes, numbers of traces.
 */
const TOKENS =
  /svc_tok_[0-9a-z]{8,}\.[\w-]+|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{43,}/g;

/** A header as it may be logged and recorded: what has the form of a token of this server is masked. */
export function maskTokens(header: string): string {
  return header.replaceAll(TOKENS, MASK);
}
