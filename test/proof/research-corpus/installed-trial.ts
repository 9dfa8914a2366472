import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CORPUS_FOLDERS, installedCorpus } from './corpus.js';
import { CorpusWeb, missingPrograms } from './corpus-web.js';
import { ResearchTrial } from './research-trial.js';

/** Whether this machine has the manuals, and the programs that serve and find them. */
export const hasCorpus = missingPrograms().length === 0 && CORPUS_FOLDERS.every((folder) => existsSync(folder));

/** A server that researches the manuals of this machine; it ends with the block that it is opened in. */
export class InstalledTrial implements AsyncDisposable {
  private constructor(
    readonly trial: ResearchTrial,
    readonly web: CorpusWeb,
    private readonly folder: string,
  ) {}

  static async open(): Promise<InstalledTrial> {
    const folder = await mkdtemp(join(tmpdir(), 'research-corpus-'));
    const web = await CorpusWeb.start(folder, await installedCorpus());
    return new InstalledTrial(await ResearchTrial.start(web), web, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.trial.close();
    await this.web.close();
    await rm(this.folder, { recursive: true });
  }
}
