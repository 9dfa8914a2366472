import { describe, expect, test } from '@jest/globals';
import { RobotsRules } from '../../../../src/platform/net/pages/robots-rules.js';
import { cpuGrowth, IN_PROPORTION } from '../../../support/probes/cpu-growth.js';

function rulesOf(text: string): RobotsRules {
  return last(RobotsRules.read(text, 'testbot'));
}

function allows(text: string, path: string): boolean {
  return last(rulesOf(text).allows(path));
}

describe('a robots.txt', () => {
  test.each<[string, string, string, boolean]>([
    ['nothing', '', '/a', true],
    ['everything', 'User-agent: *\nDisallow: /', '/a', false],
    ['an empty rule', 'User-agent: *\nDisallow:', '/a', true],
    ['the beginning of a path', 'User-agent: *\nDisallow: /a', '/abc?x', false],
    ['another beginning', 'User-agent: *\nDisallow: /b', '/abc', true],
    ['its own path', 'User-agent: *\nDisallow: /', '/robots.txt', true],
    ['a rule without a group', 'Disallow: /', '/a', true],
    ['the group that names the program', 'User-agent: *\nDisallow: /\n\nUser-agent: TestBot\nDisallow: /x', '/a', true],
    ['a name with a version', 'User-agent: TestBot/2.0\nDisallow: /', '/a', false],
    ['a longer name', 'User-agent: TestBotNews\nDisallow: /', '/a', true],
    ['several groups of one name', 'User-agent: testbot\nAllow: /\nUser-agent: testbot\nDisallow: /a', '/a', false],
    ['several names of one group', 'User-agent: x\nUser-agent: testbot\nUser-agent: y\nDisallow: /', '/a', false],
    ['a name behind the rules of another', 'User-agent: testbot\nAllow: /\nUser-agent: y\nDisallow: /', '/a', true],
    ['a sitemap within a group', 'User-agent: *\nSitemap: https://a/b\nDisallow: /', '/a', false],
    ['the longest pattern', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['the longest pattern, in another order', 'User-agent: *\nAllow: /a/b\nDisallow: /a', '/a/c', false],
    ['two patterns as long', 'User-agent: *\nDisallow: /page\nAllow: /page', '/page', true],
    ['a star', 'User-agent: *\nDisallow: /*.gif', '/a/b.gif?x', false],
    ['a star that finds nothing', 'User-agent: *\nDisallow: /*.gif', '/a/b.png', true],
    ['an end', 'User-agent: *\nDisallow: /*.gif$', '/a.gif?x', true],
    ['an end that is there twice', 'User-agent: *\nDisallow: /*.gif$', '/a.gif/b.gif', false],
    ['an end without a star', 'User-agent: *\nDisallow: /$', '/a', true],
    ['parts that would overlap', 'User-agent: *\nDisallow: /ab*bc$', '/abc', true],
    ['an escape of what need not be', 'User-agent: *\nDisallow: /%7Ejoe', '/~joe/', false],
    ['letters that must be escaped', 'User-agent: *\nDisallow: /ä', '/%c3%a4', false],
    ['an escaped slash, which is another path', 'User-agent: *\nDisallow: /a%2fb', '/a/b', true],
    ['comments and blanks', ' user-agent : * # all\r\n disallow : /a # this\r', '/a', false],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /', '/a', false],
  ])('with %s', (_, text, path, isAllowed) => {
    expect(allows(text, path)).toBe(isAllowed);
  });

  test.each([
    ['characters that become longer', '\u0001'.repeat(499_000)],
    ['plain characters', 'a'.repeat(499_000)],
    ['characters just too many', 'a'.repeat(2_048)],
    ['many parts', '*ab'.repeat(30).padEnd(6_000, 'c')],
  ])('keeps no rule of %s that is longer than any URL', (_, pattern) => {
    const rules = rulesOf(`User-agent: *\nAllow: /${pattern}\nDisallow: /${pattern}$\nDisallow: /b`);

    expect(rules.bytes).toBeLessThan(1_000);
    expect([last(rules.allows('/a')), last(rules.allows('/b'))]).toEqual([true, false]);
  });

  test('with a pattern as long as a URL, and stars without number, is kept', () => {
    const path = `/${'b'.repeat(2_000)}`;

    expect(allows(`User-agent: *\nDisallow: /${'%62'.repeat(2_000)}`, path)).toBe(false);
    expect(allows(`User-agent: *\nDisallow: /${'*'.repeat(400_000)}b$`, path)).toBe(false);
  });

  test.each([
    ['Crawl-delay: 2.5', 2_500],
    ['Crawl-delay: 3600', 10_000],
    ['Crawl-delay: -1', 0],
    ['Crawl-delay: soon', 0],
    ['Crawl-delay:', 0],
    ['', 0],
  ])('with "%s" has a delay of %d ms', (line, milliseconds) => {
    expect(rulesOf(`User-agent: *\n${line}`).delayMs).toBe(milliseconds);
  });

  test.each([
    ['one pattern of stars', 250_000, (count: number) => `Disallow: /${'*a'.repeat(count)}`, 0],
    ['many patterns of stars', 18_000, (count: number) => `Disallow: /${'*a'.repeat(8)}b$\n`.repeat(count), 250],
    ['many names', 20_000, (count: number) => 'User-agent: a\n'.repeat(count) + 'Disallow: /b\n'.repeat(count), 250],
    ['one line of blanks', 500_000, (count: number) => ' '.repeat(count), 0],
  ])('with %s is read and asked in steps, in time in proportion to its length', async (_, size, textOf, least) => {
    const path = `/${'a'.repeat(2_000)}`;
    let steps = 0;
    const counted = <T>(all: Generator<void, T>): T => {
      for (;;) {
        const step = all.next();
        if (step.done) return step.value;
        steps += 1;
      }
    };

    const growth = await cpuGrowth(size, textOf, (text) => {
      counted(counted(RobotsRules.read(`User-agent: *\n${text}`, 'testbot')).allows(path));
    });

    expect(growth).toBeLessThan(IN_PROPORTION);
    expect(steps).toBeGreaterThanOrEqual(least);
  });
});

test.each([
  ['a rule that is compared at each place of a path', 'a'.repeat(240) + 'b' + 'a'.repeat(700), 480],
  ['as many of them', ('a'.repeat(230) + 'b*').repeat(4), 480],
])('rules are asked in steps of what has to be compared: %s', (_, pattern, count) => {
  const rules = rulesOf(`User-agent: *\n${`Disallow: /*${pattern}\n`.repeat(count)}`);

  const steps = [...rules.allows(`/${'a'.repeat(2_000)}`)].length;

  expect(steps).toBeGreaterThanOrEqual(count / 2 - 1);
});

test('rules are read in steps of characters, and short ones many in a step', () => {
  const stepsOf = (line: string, count: number) =>
    [...RobotsRules.read(`User-agent: *\n${`Disallow: /${line}\n`.repeat(count)}`, 'testbot')].length;

  expect(stepsOf('%c3%a4'.repeat(900), 80)).toBeGreaterThanOrEqual(20);
  expect(stepsOf('a', 80)).toBe(0);
});

function last<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
