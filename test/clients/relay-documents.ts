import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphQLTaggedNode } from 'relay-runtime';

const ROOT = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** Compiles the documents of a fixture against the schema as it is committed, and hands out what was made of them. */
export class CompiledDocuments {
  private constructor(private readonly folder: string) {}

  /** @throws Error with what the compiler says */
  static compile(): CompiledDocuments {
    const folder = mkdtempSync(join(tmpdir(), 'relay-'));
    cpSync(join(ROOT, 'test/fixtures/relay'), join(folder, 'src'), { recursive: true });
    mkdirSync(join(folder, 'made'));
    cpSync(join(ROOT, 'schema/platform.graphql'), join(folder, 'schema.graphql'));
    const config = { src: './src', schema: './schema.graphql', language: 'javascript', artifactDirectory: './made' };
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config));
    const compiler = join(import.meta.dirname, 'node_modules/relay-compiler/cli.js');
    execFileSync(process.execPath, [compiler, 'relay.config.json'], { cwd: folder, stdio: 'pipe' });
    return new CompiledDocuments(folder);
  }

  /** @param name of an operation or a fragment */
  get(name: string): GraphQLTaggedNode {
    return require(join(this.folder, 'made', `${name}.graphql.js`)) as GraphQLTaggedNode;
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
