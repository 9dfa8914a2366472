import type { OfficePackage } from './office-package.js';

/** What a paragraph style says of its paragraphs. */
export interface ParagraphStyle {
  /** From 1; undefined: it is no heading's. */
  readonly heading?: number;
  readonly isList: boolean;
}

interface Style {
  basedOn?: string;
  heading?: number;
  isList?: boolean;
}

/** How many styles may be based on one another. */
const DEPTH = 20;

/** The paragraph styles of a document by id. */
export async function readHeadingLevels(
  office: OfficePackage,
  part: string,
): Promise<ReadonlyMap<string, ParagraphStyle>> {
  const styles = new Map<string, Style>();
  let style: Style = {};
  await office.read(part, {
    open: (name, { styleId, val = '' }) => {
      if (name === 'style') styles.set(styleId ?? '', (style = {}));
      else if (name === 'basedOn') style.basedOn = val;
      else if (name === 'outlineLvl' && /^[0-5]$/.test(val)) style.heading = Number(val) + 1;
      else if (name === 'numId') style.isList = val !== '0';
      // Built-in styles have English names in every language.
      else if (name === 'name') style.heading ??= headingOf(val);
    },
  });
  const find = <Key extends keyof Style>(id: string, key: Key, depth = 0): Style[Key] => {
    const found = styles.get(id);
    const base = found?.basedOn;
    return found?.[key] ?? (base !== undefined && depth < DEPTH ? find(base, key, depth + 1) : undefined);
  };
  return new Map(
    [...styles.keys()].map((id) => [id, { heading: find(id, 'heading'), isList: find(id, 'isList') ?? false }]),
  );
}

function headingOf(name: string): number | undefined {
  if (/^title$/i.test(name)) return 1;
  const level = /^heading ([1-6])$/i.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}
