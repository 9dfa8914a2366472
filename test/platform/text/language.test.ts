import { expect, it } from '@jest/globals';
import { detectLanguage } from '../../../src/platform/text/language.js';

it.each([
  ['en', 'The contract ends on the third of May.'],
  ['de', 'Der Vertrag endet am dritten Mai.'],
  ['fr', 'Le contrat prend fin le trois mai.'],
  ['es', 'El contrato termina el tres de mayo.'],
  ['it', 'Il contratto termina il tre maggio di quest’anno.'],
  ['ru', 'Договор заканчивается третьего мая.'],
  ['ja', '契約は5月3日に終わる。'],
  ['zh', '合同于5月3日结束。'],
  ['ko', '계약은 5월에 끝난다.'],
  ['th', 'สัญญา'],
  ['el', 'Η σύμβαση'],
])('is %s of %j', async (language, text) => {
  const detected = await detectLanguage(text);

  expect(detected).toBe(language);
});

it.each([
  '',
  'Yes.',
  'Hello',
  '12,345.50 €',
  'https://example.com/the/contract/and/more',
  'x = f(a_1, b_2)',
  'a'.repeat(90),
])('is unknown of %j', async (text) => {
  const detected = await detectLanguage(text);

  expect(detected).toBeUndefined();
});

it('is that of the prose, not of the code and the addresses in it', async () => {
  const text = `\`\`\`\nthe code is in another language\n\`\`\` Der Vertrag endet im Mai. https://example.com/the-contract`;

  const detected = await detectLanguage(text);

  expect(detected).toBe('de');
});

it('is unknown where the middle has another one than the beginning', async () => {
  const text =
    'The contract ends in May of this year. '.repeat(110) + 'Der Vertrag endet im Mai dieses Jahres. '.repeat(400);

  const detected = await detectLanguage(text);

  expect(detected).toBeUndefined();
});
