import { describe, expect, it } from '@jest/globals';
import { CooperativeYield } from '../../../src/platform/async/cooperative-yield.js';
import { CitationVerifier } from '../../../src/knowledge/chat/citation-verifier.js';
import { CitedJson, JsonBudget } from '../../../src/knowledge/chat/cited-json.js';
import { CitedText } from '../../../src/knowledge/chat/cited-text.js';

const LIE = 'The boss stole a million euros';

describe('marks of an answer that was to be JSON', () => {
  it.each([
    ['prose', `${LIE} [1].`],
    ['prose with a quote', `Here is "it": ${LIE} [1].`],
    ['prose behind JSON in a fence', `\`\`\`json\n{"a":"x"}\n\`\`\`\n${LIE} [1].`],
    ['prose in the fence', `\`\`\`json\n{"a":"x"}\n${LIE}[1].\n\`\`\``],
    ['a text around JSON', `"{"answer":"${LIE} [1]."}`],
    ['two JSON texts', `{"a":5}{"answer":"${LIE} [1]."}`],
    ['JSON that was cut off', `{"answer":"${LIE} [1]`],
    ['escapes', `{"answer":"${LIE} \\u005b1\\u005d."}`],
    ['escapes that were cut off', `{"answer":"${LIE} \\u005b1\\u005d.`],
    ['escapes of all', `{"answer":"${LIE} \\u005b\\u0031\\u005d.`],
    ['a character reference', `{"answer":"${LIE} &#91;1]."}`],
    ['its escape', `{"answer":"${LIE} \\u0026#91;1]."}`],
    ['a fence', `{"answer":"\`\`\`\\n${LIE}[1]."}`],
    ['an empty string before', `{"":"\\"","answer":"${LIE} [1]."}`],
    ['another bracket', `["${LIE}【1】."]`],
    ['a character reference with zeros', `["${LIE} &#${'0'.repeat(60)}91;1]."]`],
    ['a fence around JSON', `\`\`\`json\n{"answer":"${LIE} [1]."}\n\`\`\``],
    ['two fences', `\`\`\`json\n{"a":"x"}\n\`\`\`\n${LIE} [1].\n\`\`\`json\n{"a":"x"}\n\`\`\``],
  ])('are taken out where they are not true: %s', async (_what, text) => {
    const { written } = await cite(text);

    expect(written).toContain(LIE);
    expect(written).not.toMatch(/[[【]\s*1|u005b|#91/);
  });

  it.each([
    '{"days": [1, 2, [3]], "a\\"[": "\\\\", "b": "[sic] \\u00e9 &amp;"}',
    '[]',
    '"[x]"',
    '12',
    ' [1]\n',
    '```json\n{"days": [1, 2]}\n```\n',
  ])('are none outside of strings, and JSON stays as it is: %j', async (text) => {
    expect((await cite(text)).written).toBe(text);
  });

  it.each([
    ['escaped quotes without an end', (size: number) => `"${'\\"'.repeat(size / 2)}`],
    ['empty strings', (size: number) => `[${'"",'.repeat(size / 3)}1]`],
    ['strings with brackets', (size: number) => `[${'"[x",'.repeat(size / 5)}1]`],
    ['a string with brackets', (size: number) => `["${'[x] '.repeat(size / 4)}"]`],
    ['escapes', (size: number) => `"${'\\\\'.repeat(size / 2)}"`],
  ])('are looked for piece by piece, with turns for others: %s', async (_what, textOf) => {
    const small = await cite(textOf(100_000));
    const large = await cite(textOf(200_000));

    expect(small.texts).toBeLessThanOrEqual(1);
    expect(large.texts).toBeLessThanOrEqual(1);
    expect(large.written).toBe(textOf(200_000));
    expect(large.turns).toBeGreaterThan(0);
  });

  it('are looked for in a thousand strings; of more, all brackets are left out', async () => {
    const { written, texts } = await cite(`[${'"[9]x",'.repeat(1_500)}"&#91;9]x","[x"]`);

    expect(texts).toBe(1_000);
    expect(written).toBe(`[${'"x",'.repeat(1_000)}${'" 9 x",'.repeat(500)}" 9 x","[x"]`);
  });

  it('may be in 500,000 characters of all choices together', async () => {
    const budget = new JsonBudget();
    await cite(`"${'x'.repeat(300_000)}"`, budget);

    const second = cite(`"${'x'.repeat(300_000)}"`, budget);

    await expect(second).rejects.toThrow('too long a text');
  });
});

/** What becomes of a text, how many texts were looked at in it, and how often others had their turn. */
async function cite(text: string, budget = new JsonBudget()) {
  const counted = { texts: 0, turns: 0 };
  const cooperation = new EagerYield(counted);
  const verifier = new CitationVerifier([], cooperation);
  const cited = new CitedJson(
    () => {
      counted.texts += 1;
      return new CitedText(verifier, cooperation, false);
    },
    budget,
    cooperation,
  );
  const written = (await cited.write(text)) + (await cited.end());
  return { written, ...counted };
}

/** Is asked as often as others could have their turn. */
class EagerYield extends CooperativeYield {
  constructor(private readonly counted: { turns: number }) {
    super();
  }

  override get isDue(): boolean {
    this.counted.turns += 1;
    return super.isDue;
  }
}
