import { Parser } from 'htmlparser2';

const INVISIBLE = new Set(['head', 'script', 'style']);

const BLOCKS = new Set('br dd div dl dt h1 h2 h3 h4 h5 h6 li ol p pre table td th tr ul'.split(' '));

/** What a reader sees of a page of HTML, with the spaces that are written there, and one before each block. */
export function visibleText(html: string): string {
  let text = '';
  let hidden = 0;
  const parser = new Parser({
    onopentag: (name) => {
      hidden += Number(INVISIBLE.has(name));
      if (BLOCKS.has(name)) text += ' ';
    },
    onclosetag: (name) => void (hidden -= Number(INVISIBLE.has(name))),
    ontext: (part) => void (text += hidden > 0 ? '' : part),
  });
  parser.end(html);
  return text;
}
