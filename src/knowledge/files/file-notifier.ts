import { Coalescer } from '../../platform/async/coalescer.js';
import type { Topics } from '../../platform/cluster/topics.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import type { KnowledgeFile } from './knowledge-file.entity.js';

/** Changes of a file within this time are one message: progress comes by the slice. */
const COALESCE_MS = 250;

/** Tells, on every replica, which files of a knowledge base have changed. */
export class FileNotifier {
  private readonly changes = new Coalescer(COALESCE_MS);

  constructor(private readonly topics: Topics) {}

  /** To be called when a file has changed, and the change is committed. */
  readonly changed = ({ id, baseId }: Pick<KnowledgeFile, 'baseId' | 'id'>): void => {
    this.changes.call(id, () => this.topics.publish(topicOf(baseId), { id }));
  };

  /** Calls a listener with the id of each file of a base that has changed; the returned function ends that. */
  listen(baseId: string, listener: (id: string) => void): () => void {
    return this.topics.subscribe(topicOf(baseId), (message) => {
      if (isJsonObject(message) && typeof message.id === 'string') listener(message.id);
    });
  }

  /** Drops what has not been told yet. */
  close(): void {
    this.changes.close();
  }
}

function topicOf(baseId: string): string {
  return `knowledge:${baseId}`;
}
