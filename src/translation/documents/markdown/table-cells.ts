const QUOTE = /^[ \t]*(?:>[ \t]?)+/;
const RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Where a table begins in a paragraph, as GitHub's Markdown has them: with the line before a rule with columns, which may
 * stand right behind lines of text. Undefined where there is none.
 */
export function tableStart(paragraph: string): number | undefined {
  if (!paragraph.includes('|')) return undefined;
  let start = 0;
  let head: { readonly at: number; readonly line: string } | undefined;
  for (const line of paragraph.split(/(?<=\n)/)) {
    if (head?.line.includes('|') && isRule(line.trimEnd().slice(quoteLength(line)))) return head.at;
    head = { at: start, line };
    start += line.length;
  }
  return undefined;
}

/** How long the marks of a block quote are that a line begins with. */
function quoteLength(line: string): number {
  return QUOTE.exec(line)?.[0].length ?? 0;
}

function isRule(line: string): boolean {
  return line.includes('-') && line.length < 1_000 && RULE.test(line);
}

/** Where the texts of cells stand; the rule has none. */
export function* cellsOf(table: string): Generator<{ start: number; end: number }, void, undefined> {
  let offset = 0;
  for (const line of table.split(/(?<=\n)/)) {
    let start = quoteLength(line);
    for (let place = start; place <= line.length; place += 1) {
      if (line[place] === '\\') place += 1;
      else if (place === line.length || line[place] === '|') {
        const cell = line.slice(start, place);
        const begin = offset + start + cell.length - cell.trimStart().length;
        if (cell.trim() !== '') yield { start: begin, end: begin + cell.trim().length };
        start = place + 1;
      }
    }
    offset += line.length;
  }
}
