import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCE_HOOKS = new URL('./source-hooks.ts', import.meta.url);

/** Of the heap's young generation, in MiB, where a command does not say it. */
const SEMI_SPACE_MIB = 8;

/** What a child is started with. */
export interface ChildCommand {
  /** The file that it runs; it may read the folder that this lies in. Types are stripped, so erasable syntax only. */
  readonly entry: URL;
  /** Folders of the server's code that it needs beside its own; default: none. */
  readonly reads?: readonly URL[];
  /** Whether it may start programs, which are not held by Node's permissions. */
  readonly startsPrograms: boolean;
  /** Whether it may load native code, which is not held by Node's permissions either; default: no. */
  readonly loadsAddons?: boolean;
  /**
   * Of the heap's young generation, in MiB; default: 8. Buffers are freed when it is collected: less of it suits those
   * who read much and keep little.
   */
  readonly semiSpaceMib?: number;
  /** A folder in which it may write files, by its absolute path; default: none. */
  readonly writes?: string;
}

/**
 * The arguments of Node: the child may read its own code and the packages, and nothing else of the disk; it may write
 * nothing and load no native code unless its command says so, and evaluate no texts. Connections are not among what Node 24 can forbid (`serve.ts`).
 * @param heapMib what JavaScript may keep, in MiB
 */
export function childArguments(command: ChildCommand, heapMib: number): string[] {
  const { entry, reads = [], startsPrograms, loadsAddons = false, semiSpaceMib = SEMI_SPACE_MIB, writes } = command;
  const isSource = extname(entry.pathname) === '.ts';
  return [
    `--max-old-space-size=${heapMib}`,
    // As large from the start as they get: growing them again and again costs a fifth of the time of small files.
    `--min-semi-space-size=${semiSpaceMib}`,
    `--max-semi-space-size=${semiSpaceMib}`,
    '--permission',
    `--allow-fs-read=${fileURLToPath(new URL('.', entry))}*`,
    `--allow-fs-read=${fileURLToPath(new URL('.', import.meta.url))}*`,
    ...reads.map((folder) => `--allow-fs-read=${fileURLToPath(folder)}*`),
    `--allow-fs-read=${ROOT}node_modules/*`,
    `--allow-fs-read=${ROOT}package.json`,
    // The watch over the parent.
    '--allow-worker',
    ...(startsPrograms ? ['--allow-child-process'] : []),
    ...(loadsAddons ? ['--allow-addons'] : []),
    ...(writes === undefined ? [] : [`--allow-fs-write=${writes}/*`]),
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    ...(isSource ? [`--import=${SOURCE_HOOKS.href}`] : []),
    fileURLToPath(entry),
  ];
}
