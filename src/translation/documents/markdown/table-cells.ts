const RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Whether a paragraph is a table, as GitHub's Markdown has them: its second line is a rule with columns. */
export function isTable(paragraph: string): boolean {
  const [first = '', rule = ''] = paragraph.split(/\r?\n/, 2);
  return first.includes('|') && rule.includes('-') && rule.length < 1_000 && RULE.test(rule);
}

/** Where the texts of cells stand; the rule has none. */
export function* cellsOf(table: string): Generator<{ start: number; end: number }, void, undefined> {
  let offset = 0;
  for (const line of table.split(/(?<=\n)/)) {
    let start = 0;
    for (let place = 0; place <= line.length; place += 1) {
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
