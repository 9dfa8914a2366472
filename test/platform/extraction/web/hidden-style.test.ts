import { describe, expect, test } from '@jest/globals';
import { HiddenRules } from '../../../../src/platform/extraction/web/hidden-rules.js';
import { isHidingStyle } from '../../../../src/platform/extraction/web/hidden-style.js';
import { cpuGrowth, IN_PROPORTION } from '../../../support/probes/cpu-growth.js';

describe('declarations', () => {
  test.each([
    'display: none',
    'color: red; DISPLAY : NONE !important',
    'display:/* not */none',
    'visibility: hidden',
    'opacity: 0',
    'opacity:0.0;',
    'font-size: 0',
    'font-size:0px;color:red',
    'font: 0/0 a',
    'height: 0; overflow: hidden',
    'max-width:0',
    'text-indent: -9999px',
    'position:absolute; left:-9999px',
    'position:absolute; clip: rect(0, 0, 0, 0)',
    'clip:rect(1px,1px,1px,1px)',
    'clip-path: inset(50%)',
    'transform: scale(0)',
    'color: transparent',
    'color:#fff; background-color: #FFF',
  ])('%s: nothing is seen', (declarations) => {
    expect(isHidingStyle(declarations)).toBe(true);
  });

  test.each([
    '',
    'color: red',
    'display: block',
    'opacity: 0.5',
    'font-size: 0.9em',
    'height: 100px',
    'margin: 0; padding: 0',
    'line-height:0.9',
    'margin-left:-100%',
    'left: -10px',
    'text-indent: -1em',
    'background: none',
    'color:inherit;background:inherit',
    'border-width: 0',
    'min-width: 0',
    'transform: scale(0.5)',
  ])('%s: it is seen', (declarations) => {
    expect(isHidingStyle(declarations)).toBe(false);
  });

  test.each(['font:', 'a', 'transform:a(', '/*', ' ', 'color:', 'clip:rect(0'])(
    'a long text of them is looked at in time in proportion to it: %j',
    async (part) => {
      const growth = await cpuGrowth(500_000, (count) => `font:${part.repeat(count)}`, isHidingStyle);

      expect(growth).toBeLessThan(IN_PROPORTION);
    },
  );
});

describe('style sheets', () => {
  test.each([
    ['.x{display:none}', true],
    ['p.x, .y { visibility:hidden }', true],
    ['#i{opacity:0}', true],
    ['@import url(a.css); .x{display:none}', true],
    ['@media print{.x{display:none}}', false],
    ['@media print{.y{color:red}} .x{display:none}', true],
    ['.menu .x{display:none}', false],
    ['.x:hover{display:none}', false],
    ['.x{color:red}', false],
    ['.x{display:none', false],
    ['{}}}{', false],
  ])('%s hides an element of class x and id i: %s', (sheet, isHidden) => {
    const rules = new HiddenRules();

    rules.read(sheet);

    expect(rules.hides('a x', 'i')).toBe(isHidden);
  });
});
