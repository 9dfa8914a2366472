import { lifeOf, login, request } from '../../crash/client.js';
import { SECRET_KEY } from '../../crash/scenario.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import type { Proof } from '../proof.js';
import { SORTS } from './kept-items.js';
import { DIRECTIONS, readPairs } from './known-pairs.js';
import { compare, translateBoth } from './quality-trial.js';
import type { Compared, TranslateText } from './quality-trial.js';

interface Row extends Compared {
  readonly name: string;
}

/** Translations of apertium are as good through this server, and keep what must be kept. */
export const translationQuality: Proof = {
  name: 'translation-quality',
  about: '100 sentences from English into Spanish and back: chrF and what is kept, through this server and by apertium',
  async run(bed) {
    const environment = await bed.openEnvironment('server', 1, 1);
    const rows: Row[] = [];
    try {
      const translate = await startTranslating(environment);
      const { plain, marked } = readPairs();
      for (const direction of DIRECTIONS) {
        const [one, two] = [
          await translateBoth(translate, plain, direction),
          await translateBoth(translate, marked, direction),
        ];
        for (const [sort, translated] of Object.entries({ plain: one, marked: two, all: [...one, ...two] }))
          rows.push({ name: `${direction.source} → ${direction.target}, ${sort}`, ...compare(translated) });
      }
    } finally {
      await environment.close();
    }
    return {
      report: report(rows),
      problems: rows.flatMap((row) => problemsOf(row).map((text) => `${row.name}: ${text}`)),
    };
  },
};

/** What does not hold of sentences, a sentence each. */
export function problemsOf({ ours, bare, items, warnings }: Compared): string[] {
  const lost = SORTS.filter((sort) => ours.kept[sort] < items[sort]);
  return [
    ...(ours.chrf < bare.chrf ? [`chrF is ${shown(ours.chrf)} through this server, ${shown(bare.chrf)} without.`] : []),
    ...lost.map((sort) => `of ${items[sort]} ${sort} ${ours.kept[sort]} are kept.`),
    ...warnings,
  ];
}

async function startTranslating(environment: ScenarioEnvironment): Promise<TranslateText> {
  const { url } = await environment.database();
  const server = environment.replica({ DATABASE_URL: url, SECRET_KEY, BUILTIN_BACKEND: 'true' });
  await server.start();
  const token = await login(server);
  return async (body) => {
    const answer = await request(lifeOf(server), 'POST', '/v1/translate/text', { token, body });
    if (answer.status !== 200) throw new Error(`Not translated: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
}

function report(rows: readonly Row[]): string {
  const kept = rows.filter(({ name }) => !name.endsWith('all'));
  return [
    '# Translations of apertium',
    '',
    'Sentences with reference translations, translated both ways by Debian’s `apertium-eng-spa`: by `POST /v1/translate/text`',
    'of a real server, and by `apertium -u`, with `-f html` for HTML. Plain: `pairs.tsv`, ordinary and technical. Marked:',
    '`marked-pairs.tsv`, with placeholders, tags, numbers, URLs and mail addresses. chrF: β = 2, n-grams of one to six',
    'characters, as sacrebleu counts it.',
    '',
    '| Sentences | | chrF through this server | chrF of apertium alone |',
    '|---|---|---|---|',
    ...rows.map(
      ({ name, sentences, ours, bare }) => `| ${name} | ${sentences} | ${shown(ours.chrf)} | ${shown(bare.chrf)} |`,
    ),
    '',
    'Kept exactly, each as often as in the source:',
    '',
    '| Sentences | What | In the sources | Kept through this server | Kept by apertium alone |',
    '|---|---|---|---|---|',
    ...kept.flatMap(({ name, items, ours, bare }) =>
      SORTS.filter((sort) => items[sort] > 0).map(
        (sort) => `| ${name} | ${sort} | ${items[sort]} | ${ours.kept[sort]} | ${bare.kept[sort]} |`,
      ),
    ),
    '',
  ].join('\n');
}

function shown(value: number): string {
  return value.toFixed(2);
}
