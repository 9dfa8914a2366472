/** The endpoint group that a metered call belongs to, as usage reports name it (docs/api.md, Usage). */
export type Area =
  | 'chat'
  | 'completions'
  | 'responses'
  | 'embeddings'
  | 'translate'
  | 'knowledge'
  | 'echo'
  | 'researcher'
  | 'documents';
