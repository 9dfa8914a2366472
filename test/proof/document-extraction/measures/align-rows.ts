import type { Proposal } from '../../../../src/documents/rules/rules.types.js';

type Values = ReadonlyMap<string, unknown>;

const ROW = /^(.*)\[(\d+)\](.*)$/;

/**
 * Gives the rows of arrays the numbers of the true rows that they are, in their order: a row that was not found would
 * otherwise make all behind it wrong. Which are the same is what makes the most fields right in all; rows that are none
 * get numbers behind the last.
 * @param isSame compares a value with the true one
 */
export function alignRows(
  proposals: readonly Proposal[],
  truth: ReadonlyMap<string, { readonly value: unknown }>,
  isSame: (value: unknown, truth: unknown) => boolean,
): Proposal[] {
  const [found, right] = [rowsOf(proposals), rowsOf([...truth].map(([path, { value }]) => ({ path, value })))];
  const numbers = new Map([...found].map(([array, rows]) => [array, align(rows, right.get(array) ?? [], isSame)]));
  return proposals.map((proposal) => {
    const [, array = '', row, rest] = ROW.exec(proposal.path) ?? [];
    const number = row === undefined ? undefined : numbers.get(array)?.[Number(row)];
    return number === undefined ? proposal : { ...proposal, path: `${array}[${number}]${rest}` };
  });
}

function rowsOf(
  values: readonly { readonly path: string; readonly value: unknown }[],
): Map<string, Map<string, unknown>[]> {
  const arrays = new Map<string, Map<string, unknown>[]>();
  for (const { path, value } of values) {
    const [, array, row, rest] = ROW.exec(path) ?? [];
    if (array === undefined || row === undefined || rest === undefined) continue;
    const rows = arrays.get(array) ?? [];
    arrays.set(array, rows);
    while (rows.length <= Number(row)) rows.push(new Map());
    rows[Number(row)]?.set(rest, value);
  }
  return arrays;
}

/** The number of each found row, by the pairs in order that have the most fields in common. */
function align(
  found: readonly Values[],
  right: readonly Values[],
  isSame: (a: unknown, b: unknown) => boolean,
): number[] {
  const common = found.map((row) =>
    right.map((other) => [...row].filter(([name, value]) => other.has(name) && isSame(value, other.get(name))).length),
  );
  const best = Array.from({ length: found.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
  for (let i = found.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const pair = (common[i]?.[j] ?? 0) + (best[i + 1]?.[j + 1] ?? 0);
      (best[i] as number[])[j] = Math.max(pair, best[i + 1]?.[j] ?? 0, best[i]?.[j + 1] ?? 0);
    }
  }
  const numbers: number[] = [];
  let [i, j, extra] = [0, 0, right.length];
  while (i < found.length) {
    const isPair = j < right.length && best[i]?.[j] === (common[i]?.[j] ?? 0) + (best[i + 1]?.[j + 1] ?? 0);
    if (isPair) numbers[i++] = j++;
    else if (j < right.length && best[i]?.[j] === best[i]?.[j + 1]) j += 1;
    else numbers[i++] = extra++;
  }
  return numbers;
}
