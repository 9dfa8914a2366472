import { randomUUID } from 'node:crypto';
import type { KnowledgeSearch } from '../../knowledge/domain.js';
import type { FoundFile, KnowledgeReader } from '../pipeline/source-finder.js';

/** Knowledge bases as sources. Whoever searches them is asked for its rights each time. */
export function knowledgeReader(knowledge: Pick<KnowledgeSearch, 'search' | 'textOf'>): KnowledgeReader {
  return {
    search: async (owner, baseIds, request, signal) => {
      const passages = await knowledge.search(owner, baseIds, request, { signal, serverRequestId: randomUUID() });
      const files = new Map<string, FoundFile>();
      for (const { knowledgebaseId, fileId, filename } of passages) {
        if (!files.has(fileId)) files.set(fileId, { knowledgebaseId, fileId, filename });
      }
      return [...files.values()];
    },
    textOf: (owner, file, most) => knowledge.textOf(owner, file, most),
  };
}
