/** The topic of which a sync's progress is told. */
export function syncTopic(id: string): string {
  return `directory-sync:${id}`;
}
