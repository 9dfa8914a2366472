import { Parser } from 'htmlparser2';

const INVISIBLE = new Set(['head', 'script', 'style']);

/** What a reader sees of a page of HTML, with the spaces that are written there. */
export function visibleText(html: string): string {
  let text = '';
  let hidden = 0;
  const parser = new Parser({
    onopentag: (name) => void (hidden += Number(INVISIBLE.has(name))),
    onclosetag: (name) => void (hidden -= Number(INVISIBLE.has(name))),
    ontext: (part) => void (text += hidden > 0 ? '' : part),
  });
  parser.end(html);
  return text;
}
