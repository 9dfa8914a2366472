import { decode } from 'gpt-tokenizer/encoding/cl100k_base';
import { numbers } from '../numbers.js';

/** The word of rank n comes as often as 1 / (n + this), as content words of a language do: the first is in many passages. */
const RANK_OFFSET = 20;
const NAMES = 10_000;
const SENTENCES_IN_PARAGRAPH = 5;
const SYLLABLES = ['ka', 'zo', 'mir', 'tel', 'un', 'quo', 'ber', 'sy', 'dan', 'vi'];
/** Words that are one token each, the frequent ones first, as those of most texts are. */
const WORDS = Array.from({ length: 60_000 }, (_, token) => decode([token]))
  .filter((text) => /^ [a-z]{5,12}$/.test(text))
  .map((text) => text.trim());
const [NOUNS, VERBS, ADJECTIVES] = [0, 1, 2].map((kind) => WORDS.filter((_, index) => index % 3 === kind));
const STATEMENTS = [
  'The {adjective} {noun} of {name} was {verb} before the {noun} in the {adjective} {noun}.',
  'Most of those who knew the {noun} said that {name} had {verb} it, although the {adjective} {noun} was not there yet.',
  'When the {noun} had been {verb}, {name} and {name} went to the {noun} and asked for the {adjective} {noun}.',
  'It was decided that every {noun} with a {adjective} {noun} would be {verb} within {number} days.',
  'In {number} the {noun} at {name} cost {number} euros, which was more than the {adjective} {noun} had.',
  'Nobody has {verb} the {noun} since, because the {adjective} {noun} that {name} wanted is still with the {noun}.',
];
/** By turns without and with a name, which is in few passages; `wanted` is in nearly all. */
const QUESTIONS = [
  'Why was the {adjective} {noun} {verb} before the {noun}?',
  'What do we know about {name} and the {noun} that had been {verb}?',
  'Which {noun} did they have until the {adjective} {noun} was {verb}?',
  'Where is the {adjective} {noun} that {name} wanted?',
];

/** English prose of at least so many bytes, in paragraphs; the same for the same seed. */
export function proseOf(bytes: number, seed: number): string {
  const random = numbers(seed);
  const paragraphs: string[] = [];
  for (let length = 0; length < bytes;) {
    const sentences = Array.from({ length: SENTENCES_IN_PARAGRAPH }, () => fill(oneOf(STATEMENTS, random), random));
    const paragraph = sentences.join(' ');
    paragraphs.push(paragraph);
    length += paragraph.length + 2;
  }
  return paragraphs.join('\n\n');
}

/** Questions with words of the prose, always the same ones. */
export function questionsOf(count: number): string[] {
  const random = numbers(4_711);
  return Array.from({ length: count }, (_, index) => fill(QUESTIONS[index % QUESTIONS.length] ?? '', random));
}

function fill(template: string, random: () => number): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, kind: string) => wordOf(kind, random));
}

function wordOf(kind: string, random: () => number): string {
  if (kind === 'noun') return pick(NOUNS, random);
  if (kind === 'verb') return pick(VERBS, random);
  if (kind === 'adjective') return pick(ADJECTIVES, random);
  const rank = rankBelow(NAMES, random);
  return kind === 'number' ? String(100 + rank) : toName(rank);
}

/** Each as often as the others. */
function oneOf(texts: readonly string[], random: () => number): string {
  return texts[Math.floor(texts.length * random())] ?? '';
}

function pick(words: readonly string[] = [], random: () => number): string {
  return words[rankBelow(words.length, random)] ?? '';
}

/** From 0 on; the first ones are the most frequent. */
function rankBelow(count: number, random: () => number): number {
  return Math.floor(RANK_OFFSET * ((count + RANK_OFFSET) / RANK_OFFSET) ** random()) - RANK_OFFSET;
}
function toName(rank: number): string {
  const letters = [...String(rank + 100)].map((digit) => SYLLABLES[Number(digit)]).join('');
  return letters.charAt(0).toUpperCase() + letters.slice(1);
}
