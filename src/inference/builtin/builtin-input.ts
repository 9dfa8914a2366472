import { BadRequest } from '../../errors.js';
import { textOfTokens } from '../calls/tokenizer.js';

/**
 * The texts of a `prompt` or an `input`, whichever form they have: a text, several, tokens, or several lists of tokens.
 * @throws BadRequest that names the field, where a number is no token
 */
export async function textsOfInput(value: unknown, param: string): Promise<string[]> {
  const inputs = Array.isArray(value) && typeof value[0] !== 'number' ? value : [value];
  return Promise.all(
    inputs.map(async (input: string | number[]) => {
      if (typeof input === 'string') return input;
      const text = await textOfTokens(input);
      if (text === undefined) throw new BadRequest(`${param} has a number that is no token of cl100k_base.`, param);
      return text;
    }),
  );
}
