import { CALLERS, isSuccess } from './callers.js';
import type { Caller, Target } from './callers.js';
import type { Finding, Row } from './matrix-run.js';

/** Every answer of a row that breaks a rule, in words. */
export type Rule = (row: Row) => string[];

const DEAD = ['none', 'expired', 'revoked'] as const satisfies readonly Caller[];
const REASONS: Partial<Record<Caller, string>> = { expired: 'token_expired', revoked: 'token_revoked' };

/** What must hold for every row, whatever its table says. */
export const RULES: Readonly<Record<string, Rule>> = {
  'what has an access rule is 401 without a token, and with an expired or a revoked one, which it says': (row) => {
    const { rule } = row.operation.access;
    if (!rule) return [];
    return breaches(row, DEAD, (answer, _target, caller) => {
      const reason = rule.credential === 'service' ? undefined : REASONS[caller];
      return answer.outcome === '401' && (reason === undefined || answer.text.includes(`"${reason}"`));
    });
  },
  'a personal access token without the scope is 403, and every one where only a sign-in counts': (row) => {
    const { rule } = row.operation.access;
    const callers: Caller[] = [];
    if (rule?.credential === 'jwt') callers.push('no scope', 'pat');
    if (rule?.scope !== undefined) callers.push('no scope');
    return breaches(row, callers, ({ outcome }) => outcome === '403');
  },
  'what is for services is 401 for everybody else, and a service key is 401 everywhere else': (row) => {
    const { rule } = row.operation.access;
    if (!rule) return [];
    const refused: readonly Caller[] =
      rule.credential === 'service' ? CALLERS.filter((caller) => caller !== 'service') : ['service'];
    return breaches(row, refused, ({ outcome }) => outcome === '401');
  },
  'the administrator of another tenant learns and changes nothing by an id of this one': (row) => {
    const answers = row.answers.stranger;
    if (!row.operation.access.rule || !row.operation.id) return [];
    return breaches(row, ['stranger'], (answer, target) => {
      const isForeign = target === 'own' || target === 'mate';
      return !isForeign || !isSuccess(answer) || isSame(answer, answers.get('unknown'));
    });
  },
  'what is not for the caller is answered as what does not exist, and so is what is no id': (row) => {
    if (!row.operation.id) return [];
    return breaches(row, CALLERS, (answer, target, caller) => {
      const unknown = row.answers[caller].get('unknown');
      // A filter finds nothing by an unknown id, and may refuse what can be none.
      const isRefusedFilter = target === 'malformed' && unknown !== undefined && isSuccess(unknown);
      return isSuccess(answer) || isSame(answer, unknown) || isRefusedFilter;
    });
  },
  'nobody is told an id of another tenant, and no user one of another user': (row) =>
    // What is public goes by credentials in the body, which are the user's here, whoever sends them.
    row.operation.access.rule ? breaches(row, CALLERS, ({ leaked }) => leaked.length === 0) : [],
  'nothing is a failure of the server': (row) => breaches(row, CALLERS, ({ outcome }) => outcome !== '500'),
};

/** Where REST and the graph do not agree on who may do what. */
export function disagreements(rows: readonly Row[]): string[] {
  const pairs = Map.groupBy(
    rows.filter(({ operation }) => operation.pair !== undefined),
    ({ operation }) => operation.pair,
  );
  return [...pairs.values()].flatMap(([rest, graphql, ...more]) => {
    if (!rest || !graphql || more.length > 0) return [`${rest?.operation.name} has no root field of its own.`];
    return breaches(rest, CALLERS, (answer, target, caller) => {
      const other = graphql.answers[caller].get(target);
      return other !== undefined && meaningOf(answer) === meaningOf(other);
    }).map((breach) => `${breach}, and otherwise to ${graphql.operation.name}`);
  });
}

function breaches(
  { operation, answers }: Row,
  callers: readonly Caller[],
  holds: (answer: Finding, target: Target, caller: Caller) => boolean,
): string[] {
  return callers.flatMap((caller) =>
    [...answers[caller]]
      .filter(([target, answer]) => !holds(answer, target, caller))
      .map(([target, { outcome }]) => `${operation.name} answers ${outcome} to ${caller} (${target})`),
  );
}

function isSame(one: Finding, other: Finding | undefined): boolean {
  return one.outcome === other?.outcome && one.text === other.text;
}

function meaningOf(answer: Finding): string {
  return isSuccess(answer) ? 'done' : answer.outcome === 'nul' ? '404' : answer.outcome;
}
