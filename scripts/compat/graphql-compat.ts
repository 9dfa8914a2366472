import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** What breaks clients of the first schema that meet a server of the second; each change is one line. */
export async function breakingGraphqlChanges(before: string, after: string): Promise<string[]> {
  const changes = await diff(schemaOf(before), schemaOf(after));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ path, message }) => `${path ?? 'schema'}: ${message}`);
}

/** Directives of federation may be used without being defined. */
function schemaOf(sdl: string) {
  return buildSchema(sdl, { assumeValidSDL: true });
}
