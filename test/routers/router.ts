import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FOLDER = join(import.meta.dirname, 'hive');
const PROGRAM = join(FOLDER, 'node_modules/@graphql-hive/gateway/dist/bin.js');
const LISTENING = /Listening on .*(http:\/\/127\.0\.0\.1:\d+)/;

/** Hive Gateway, as `npx hive-gateway supergraph` starts it, with the configuration beside its package. */
export class Router {
  private constructor(
    /** Its origin; it serves `/graphql`. */
    readonly url: string,
    /** The lines that it has logged so far. */
    readonly log: readonly string[],
    private readonly child: ChildProcess,
  ) {}

  /** Its name, and the version that its package asks for. */
  static get title(): string {
    const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
      dependencies: Readonly<Record<string, string>>;
    };
    return `@graphql-hive/gateway ${dependencies['@graphql-hive/gateway']}`;
  }

  /** It has a package of its own, which `npm run routers:install` installs. */
  static get isInstalled(): boolean {
    return existsSync(PROGRAM);
  }

  /**
   * @param supergraph the path of its file
   * @throws Error with its log where it does not start
   */
  static async start(supergraph: string, port: number): Promise<Router> {
    const args = [PROGRAM, 'supergraph', supergraph, '--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(process.execPath, args, {
      cwd: FOLDER,
      env: { PATH: process.env.PATH, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const log: string[] = [];
    const lines = createInterface({ input: child.stdout }).on('line', (line) => log.push(line));
    const url = await new Promise<string | undefined>((resolve) => {
      lines.on('line', (line) => LISTENING.test(line) && resolve(LISTENING.exec(line)?.[1]));
      child.once('exit', () => resolve(undefined));
    });
    if (url === undefined) throw new Error(`The router did not start:\n${log.join('\n')}`);
    return new Router(url, log, child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}
