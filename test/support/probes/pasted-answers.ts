import type { ManualPage } from '../builders/manual-pages.js';
import type { PastedCall, PastedPages } from '../servers/pasted-pages.js';

/** What went otherwise than pages say: commands that failed, errors that they do not show, and answers that differ. */
export function problemsOf(pages: readonly ManualPage[], { failures, calls, output }: PastedPages): string[] {
  const answers = calls.flatMap((call) => {
    const page = pages.find(({ path }) => path === call.path);
    return page ? answerProblems(call, shownAt(page, call.line)) : [];
  });
  const problems = [...answers, ...failures];
  return problems.length > 0 ? [...problems, output.slice(-3_000)] : problems;
}

function answerProblems({ path, line, status, body }: PastedCall, shown: string): string[] {
  const isRefused = status >= 400 || /"errors":\[\{"message"/.test(body);
  const code = /"code":"(\w+)"/.exec(body)?.[1] ?? 'none';
  const isTold = shown.includes(`"code":"${code}"`);
  if (status < 200 || (isRefused && !isTold)) return [`${path}:${line}: ${status} ${body}`];
  const told = namesIn(shown).difference(namesIn(body));
  // What is shown in full has all that came.
  const missing = shown.startsWith('{') && !shown.includes('…') ? namesIn(body).difference(namesIn(shown)) : [];
  return [...told, ...missing].map((name) => `${path}:${line}: "${name}" is in one of what is shown and what came`);
}

/** What a page shows as the output of the command that begins, or goes on, at a line of a `console` block. */
function shownAt({ blocks }: ManualPage, line: number): string {
  const block = blocks.findLast((one) => one.line < line);
  if (block?.language !== 'console') return '';
  const rest = block.lines.slice(line - block.line);
  const start = rest.findIndex((one) => !one.startsWith('>'));
  const output = start < 0 ? [] : rest.slice(start);
  const end = output.findIndex((one) => one.startsWith('$ '));
  return output.slice(0, end < 0 ? undefined : end).join('\n');
}

/** The names of the members of JSON, wherever it stands. */
function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/"(\w+)":/g)].map(([, name]) => name as string));
}
