import type { z } from 'zod';

/** `RATE_LIMIT_STREAMS` is `rateLimitStreams`. */
type SettingName<Variable extends string> = Variable extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<SettingName<Tail>>}`
  : Lowercase<Variable>;

/** The settings that a shape of variables gives, under their names in camelCase; what is undefined was not set. */
export type ConfigOf<Shape extends z.ZodObject> = {
  readonly [Variable in keyof z.output<Shape> as SettingName<Variable & string>]: z.output<Shape>[Variable];
};

/** The configuration cannot be used; the message lists every problem, a line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n  - ${problems.join('\n  - ')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads and checks the variables of all shapes. An empty variable counts as not set.
 * @returns the settings of each shape (`ConfigOf`) in one object
 * @throws ConfigError that lists every problem
 */
export function readVariables(shapes: readonly z.ZodObject[], env: NodeJS.ProcessEnv): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const results = shapes.map((shape) => shape.safeParse(given));
  const problems = results
    .flatMap(({ error }) => error?.issues ?? [])
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (problems.length > 0) throw new ConfigError(problems);
  const variables = results.flatMap(({ data }) => Object.entries(data ?? {}));
  return Object.fromEntries(variables.map(([variable, value]) => [settingName(variable), value]));
}

function settingName(variable: string): string {
  return variable.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
