import { describe, expect, it } from '@jest/globals';
import { citeText, LUNCH } from '../../support/builders/cited-text.js';

const LIE = 'The boss stole a million euros';

describe('a mark of an answer', () => {
  it.each([
    ['the rest of a line that begins code', `${LIE}.\n~~~ ${LUNCH}\n[1]\n~~~\n`],
    ['that of one behind which more is said', `${LIE}.\n~~~ ${LUNCH} \n[1] Ok\n~~~`],
    ['that of backticks', `${LIE}.\n\`\`\`${LUNCH}\n[1]\n\`\`\``],
    ['that of an indented one, a sentence of it', `${LIE}.\n   ~~~~ So it is. ${LUNCH}\n[1]`],
    ['that of backticks in a quotation', `> ${LIE}.\n> \`\`\` So it is. ${LUNCH}\n> [1]`],
    ['that of one in a list', `- ${LIE}.\n  1. ~~~ So it is. ${LUNCH}\n     [1]`],
    ['the name of a language', `${LIE}.\n\n\`\`\`Guests-pay-7.20-euros-for-lunch.\n[1]\n\`\`\``],
    ['that with a sentence in it', `${LIE}.\n\n\`\`\`5.Guests-pay-7.20-euros-for-lunch\n[1]\n\`\`\``],
    ['that of a second block', `\`\`\`\n${LIE}\n\`\`\`\n~~~Guests_pay_7.20_euros-lunch\n[1]\n~~~`],
    ['a cell behind the last column', `| a |\n|---|\n| ${LIE}. | | ${LUNCH}\n[1]`],
    ['a sentence of such a cell', `| a |\n|---|\n| ${LIE}. | | So it is. ${LUNCH}\n[1]`],
    ['such a cell in a quotation', `> | a |\n> |---|\n> | ${LIE}. | ${LUNCH}\n> [1]`],
    ['such a cell of a line that ends otherwise', `a |\r-|\r${LIE}. | ${LUNCH}\r[1]`],
    ['such a cell behind another mark', `| a |\n|---|\n| ${LIE}. | [9] Guests pay 7.20 euros for lunch\n[1]`],
    ['a cell of the row before', `| a |\n|---|\n| x | Guests pay 7.20 euros for\n| the boss at lunch [1] |`],
    ['a cell behind the mark', '| a |\n|---|\n| [1] The boss | | Guests pay 7.20 euros for lunch.'],
  ])('is not made true by what no column or line shows: %s', async (_what, text) => {
    const whole = await citeText(text);
    const units = await citeText(...text);

    expect(whole.written).not.toContain('[1]');
    expect(units).toEqual(whole);
    expect(whole.citations).toEqual([]);
  });

  it.each(
    [
      // A sign that is written as a character reference, or stands before what emphasizes a number, or its currency.
      ['&minus;7.20 euros', '&minus; 7.20 euros', '&#x2d;7.20 euros', '&min[9]us;7.20 euros', '➖7.20 euros'],
      [
        '-**7.20** euros',
        '-`7.20` euros',
        '-_7.20_ euros',
        '−<b>7.20</b> euros',
        '−\u00a07.20 euros',
        '\u20527.20 euros',
      ],
      ['$-$7.20 euros', '$-7.20$ euros', '-€7.20', '-€**7.20**', '−EUR 7.20'],
      // Another order.
      ['\u202e7.20\u202c euros', '\u20677.20\u2069 euros', '&#x202e;7.20 euros', '\u200f7.20-\u200f euros'],
      ['&rlm;7.20-&rlm; euros', 'her \u202e own. Guests pay 7.20 euros'],
      // Struck through.
      [
        '7.20\u0336 euros',
        '7.20&#x336; euros',
        '~~7.20 euros~~',
        '~7.20 euros~',
        '<s>7.20 euros</s>',
        '<del>7.20</del> euros',
      ],
      // With a letter of another script.
      ['7.20 \u0435uros', '7.20 eur&omicron;s'],
      ['≠ 7.20 euros', '&ne;7.20 euros', '¬7.20 euros', '≯ 7.20 euros', '~~much. Guests pay 7.20 euros'],
    ].flat(),
  )('is not made true by words that are shown otherwise: %j', async (price) => {
    const text = `Guests pay ${price} for lunch [1].`;

    const whole = await citeText(text);
    const units = await citeText(...text);

    expect(whole.written).not.toContain('[1]');
    expect(units).toEqual(whole);
    expect(whole.citations).toEqual([]);
  });

  it.each(['n**o**t', 'n`o`t', '*n*ot', 'n&shy;ot', '&#110;ot', 'n<b>o</b>t'])(
    'is not made true by a word that is broken up: %s',
    async (not) => {
      expect((await citeText(`Guests do ${not} pay 7.20 euros for lunch [1].`)).citations).toEqual([]);
    },
  );

  it.each([
    ['literally', '```\nGuests pay \u202e7.20 euros for lunch [1].\n```'],
    ['in the sentence before', '```\nSo \u202e it is. Guests pay 7.20 euros for lunch [1].\n```'],
    ['by a stroke', '```\nGuests pay 7.20\u0336 euros for lunch [1].\n```'],
  ])('is taken out of code, too, where its words are shown otherwise: %s', async (_how, text) => {
    expect((await citeText(text)).written).toBe(text.replace(' [1]', ''));
  });
});
