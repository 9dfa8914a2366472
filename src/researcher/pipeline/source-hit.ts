import { createHash } from 'node:crypto';
import { canonicalUrl } from '../search/canonical-url.js';

/** A page or a file that a query has found, as its step stores it. */
export type SourceHit = {
  /** Where it is; of a file of a knowledge base, its path in this API. */
  readonly url: string;
  readonly title: string | null;
  /** ISO 8601; null where nobody says it. */
  readonly published_at: string | null;
  readonly credibility: number | null;
  /** Of a file of a knowledge base; null: a page of the web. */
  readonly knowledgebase_id: string | null;
  readonly file_id: string | null;
};

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 26;

/** The id of a source, the same for the same page in every session: TypeID in form, but made of its address. */
export function sourceIdOf({ url, file_id: fileId }: Pick<SourceHit, 'url' | 'file_id'>): string {
  const digest = createHash('sha256')
    .update(fileId ?? canonicalUrl(new URL(url)))
    .digest();
  const suffix = Array.from(digest.subarray(0, LENGTH), (byte, at) => ALPHABET[at === 0 ? byte % 8 : byte % 32]);
  return `src_${suffix.join('')}`;
}

/**
 * The sources that are read, chosen of what queries have found: the best of each query in turn, each page once.
 * @param known the ids of sources that were chosen before
 */
export function chooseSources(
  found: readonly (readonly SourceHit[])[],
  known: ReadonlySet<string>,
  most: number,
): (SourceHit & { readonly id: string })[] {
  const chosen = new Map<string, SourceHit & { readonly id: string }>();
  const ranks = Math.max(0, ...found.map((hits) => hits.length));
  for (let rank = 0; rank < ranks; rank += 1) {
    for (const hits of found) {
      const hit = hits[rank];
      if (!hit || chosen.size >= most) continue;
      const id = sourceIdOf(hit);
      if (!known.has(id) && !chosen.has(id)) chosen.set(id, { ...hit, id });
    }
  }
  return [...chosen.values()];
}
