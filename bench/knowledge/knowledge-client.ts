import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../api.js';
import type { Target } from '../load.js';

const READY_SECONDS = 300;
const POLL_MS = 100;

/** The ways to search. */
export const MODES = ['hybrid', 'vector', 'keyword'] as const;
/** One of them. */
export type Mode = (typeof MODES)[number];

/** A file of a knowledge base, as far as it matters here. */
export interface SentFile {
  readonly id: string;
  readonly status: 'queued' | 'processing' | 'ready' | 'failed';
  readonly error: string | null;
  readonly chunk_count: number;
}

/** A knowledge base of a server that is measured. */
export class BenchBase {
  private constructor(
    private readonly target: Target,
    readonly id: string,
  ) {}

  static async create(target: Target): Promise<BenchBase> {
    const body = { name: 'Bench' };
    const { id } = await callApi<{ id: string }>(target, { method: 'POST', path: '/v1/knowledgebases', body });
    return new BenchBase(target, id);
  }

  /** Sends a text as a file, which is read when this is over. */
  async send(text: string): Promise<SentFile> {
    const form = new FormData();
    form.append('file', new Blob([text]), 'prose.txt');
    const { origin, headers } = this.target;
    const url = `${origin}/v1/knowledgebases/${this.id}/files`;
    const response = await fetch(url, { method: 'POST', headers, body: form });
    if (response.status !== 202) throw new Error(`A file was answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: [SentFile] }).data[0];
  }

  /** A file as it is now. */
  file(id: string): Promise<SentFile> {
    return callApi(this.target, { method: 'GET', path: `/v1/knowledgebases/${this.id}/files/${id}` });
  }

  /** Waits until a file is as told. @throws Error where it has failed, or it takes too long */
  async until(status: 'processing' | 'ready', id: string): Promise<SentFile> {
    for (const endsAt = performance.now() + READY_SECONDS * 1_000; performance.now() < endsAt; await sleep(POLL_MS)) {
      const file = await this.file(id);
      if (file.status === 'failed') throw new Error(`The file has failed: ${file.error}`);
      if (file.status === status) return file;
    }
    throw new Error(`The file is not ${status} after ${READY_SECONDS} s.`);
  }

  /** Whether passages have vectors here. */
  async hasVectors(): Promise<boolean> {
    const { checks } = await callApi<{ checks: Record<string, string> }>(this.target, {
      method: 'GET',
      path: '/health',
    });
    return checks.vectors === 'ok';
  }

  /** Asks for the eight passages that fit a question best. @throws Error where there are none */
  async ask(query: string, mode: Mode): Promise<void> {
    const path = `/v1/knowledgebases/${this.id}/query`;
    const { data } = await callApi<{ data: object[] }>(this.target, { method: 'POST', path, body: { query, mode } });
    if (data.length === 0) throw new Error(`Nothing is found: ${query}`);
  }
}
