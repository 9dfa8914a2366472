import { parseArgs } from 'node:util';
import type { Section } from './section.js';

/** What the command line asks for. */
export interface Options {
  readonly help: boolean;
  /** One short round that writes nothing. */
  readonly quick: boolean;
  /** Leaves processor profiles of the server in bench/. */
  readonly profile: boolean;
  /** The name of the only section to run. */
  readonly only: string | undefined;
  /** The folder of another build of the server, which alone is compared with this one. */
  readonly against: string | undefined;
}

/** Reads the command line. @throws TypeError where it makes no sense */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      only: { type: 'string' },
      against: { type: 'string' },
    },
  });
  return { ...values, only: values.only, against: values.against };
}

/** How the benchmark is called. */
export function helpText(sections: readonly Section[]): string {
  const width = Math.max(...sections.map(({ name }) => name.length));
  return `npm run bench -- [--only NAME | --against FOLDER] [--quick] [--profile] [--help]

Measures this server; all sections together, without --quick, write bench/RESULTS.md.

  --only NAME        one section, which is printed and written nowhere
  --against FOLDER   another build, such as that of an earlier commit: chats of both in turn, printed and written nowhere
  --quick            one short round, to see that it works; it is printed and written nowhere
  --profile          leaves processor profiles of the server in bench/

Sections:
${sections.map(({ name, title }) => `  ${name.padEnd(width)}   ${title}`).join('\n')}`;
}
