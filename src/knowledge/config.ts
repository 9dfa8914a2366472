import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { whole } from '../platform/config/variables.js';

/** The builtin model that makes vectors. */
export const BUILTIN_EMBEDDING_MODEL = 'builtin-hash-embedding';

/** What knowledge bases take, and are searched by. */
export const knowledgeConfig = z
  .object({
    KNOWLEDGE_EMBEDDING_MODEL: z
      .string()
      .min(1)
      .default(BUILTIN_EMBEDDING_MODEL)
      .describe('The model whose vectors a knowledge base is searched by, where it names none of its own.'),
    KNOWLEDGE_INDEX_MEMORY_MIB: whole(1, 65_536)
      .default(256)
      .describe(
        'Memory of PostgreSQL for building a vector index (maintenance_work_mem); one index is built at a time.',
      ),
    KNOWLEDGE_RERANK_MODEL: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A model of a backend with `supports: [rerank]`, which puts what queries find into order; none unless set.',
      ),
  })
  .describe('Knowledge bases');

/** The settings of knowledge bases. */
export type KnowledgeConfig = ConfigOf<typeof knowledgeConfig>;
