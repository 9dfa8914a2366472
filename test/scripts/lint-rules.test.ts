import { beforeAll, describe, expect, it } from '@jest/globals';
import { LintRun } from '../support/probes/lint-run.js';

describe('the rules of imports and tables', () => {
  let run: LintRun;

  beforeAll(async () => {
    const files = [...Object.entries(faultless()), ...faults()];
    run = await LintRun.of(files.map(([file, text]) => [`src/${file}`, text]));
  });

  it.each(faults())('find the fault of %s', (file, _text, problem) => {
    expect(problemsOf(file)).toContainEqual(expect.stringContaining(problem));
  });

  it.each(Object.keys(faultless()))('find none in %s', (file) => {
    expect(problemsOf(file).filter(isOurs)).toEqual([]);
  });

  function problemsOf(file: string): string[] {
    return run.problemsOf(`src/${file}`);
  }

  function isOurs(message: string): boolean {
    return /src\/|cycle/.test(message);
  }
});

/** A small server of two domains, `first` and then `second`, without a fault. */
function faultless(): Readonly<Record<string, string>> {
  return {
    'domains.ts': `
    import { others } from './second/domain.js';
    import { first } from './first/domain.js';
    new DomainList().add(first).add(others);`,
    'app.ts': "import './domains.js'; import './platform/log.js';",
    'config.ts': "import './domains.js';",
    'context.ts': "import './platform/log.js';",
    'domain-module.ts': "import type { Log } from './platform/log.js';",
    'cli/command.ts': "import '../config.js'; import '../second/domain.js';",
    'platform/log.ts': "const TEXT = 'UPDATE the log, FROM time to time';",
    'http/server.ts': "import '../context.js'; import '../platform/log.js';",
    'first/domain.ts': "import './things/thing.entity.js'; import '../domain-module.js'; use('SELECT id FROM things');",
    'first/first.types.ts': '',
    'first/things/thing.entity.ts': "@Entity('things') export class Thing {}",
    'first/migrations/1-first.ts': "use('CREATE TABLE things (id text)'); use('CREATE TABLE lists (id text)');",
    'second/domain.ts': "import type { First } from '../first/domain.js'; import '../first/first.types.js';",
    'second/other.entity.ts': `
    import { Thing } from '../first/domain.js';
    @Entity({ name: 'others' }) export class Other { @ManyToOne(() => Thing) thing; }`,
    'second/migrations/2-second.ts': "use('ALTER TABLE others ADD FOREIGN KEY (id) REFERENCES things; UPDATE things');",
  };
}

/** One fault each: what is written where, and what is said of it. */
function faults(): readonly (readonly [file: string, text: string, problem: string])[] {
  return [
    ['platform/low.ts', "import type { First } from '../first/domain.js';", 'src/platform knows no domain'],
    ['access/rule.ts', "import { first } from '../first/domain.js';", 'src/access knows no domain'],
    ['admission/way.ts', "export { first } from '../first/domain.js';", 'src/admission knows no domain'],
    ['graph/build.ts', "export * from '../first/domain.js';", 'src/graph knows no domain'],
    ['rest/engine.ts', "type First = import('../first/first.types.js').First;", 'src/rest knows no domain'],
    ['http/lazy.ts', "import('../first/domain.js');", 'src/http knows no domain'],
    ['http/settings.ts', "import type { Config } from '../config.js';", 'src/config.ts knows every domain'],
    ['second/list.ts', "import '../domains.js';", 'src/domains.ts knows every domain'],
    ['errors.ts', "import './config.js';", 'src/config.ts knows every domain'],
    ['main.ts', "import './first/domain.js';", 'src/main.ts knows domains through src/domains.ts only'],
    ['second/deep.ts', "import '../first/things/thing.entity.js';", 'through its domain.ts'],
    ['first/late.ts', "import type { Second } from '../second/domain.js';", 'src/first comes before src/second'],
    [
      'second/sql.ts',
      "use('SELECT t.id FROM others JOIN things t ON t.id = others.id');",
      'things belongs to src/first',
    ],
    ['second/template.ts', 'use(`INSERT INTO "lists" VALUES (${1})`);', 'lists belongs to src/first'],
    ['platform/sql.ts', "use('DELETE FROM public.others');", 'others belongs to src/second'],
    [
      'second/rows.ts',
      "import { Thing } from '../first/domain.js'; tx.getRepository(Thing);",
      'Thing belongs to src/first',
    ],
    ['second/one.ts', "import type { Two } from './two.js'; export type One = Two;", 'cycle'],
    ['second/two.ts', "import type { One } from './one.js'; export type Two = One;", 'cycle'],
  ];
}
