import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ApiDescription } from '../support/probes/api-description.js';
import { usePlatform } from '../support/servers/use-servers.js';

const FOLDER = new URL('../../schema/rest/', import.meta.url);
const FILES = globSync('*/*.schema.json', { cwd: FOLDER.pathname }).sort();
const VALUES = [null, true, '', 'text', 'float', -1, 0, 1, 1.5, 200, [], ['a'], [1], [''], [[1]], [[]], [{}], {}];
const OBJECTS = [{ type: 'text' }, [{ type: 'text' }], [{ role: 'user' }], [{ role: 'user', content: [{}] }]];

describe('a schema that was written by hand', () => {
  const platform = usePlatform();
  let api: ApiDescription;

  beforeAll(async () => {
    api = new ApiDescription((await platform.request('GET', '/openapi.json')).body);
  });

  it.each(FILES)('accepts the same values in the description: %s', (file) => {
    const schema = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Written;
    const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const component = `#/components/schemas/${schema.title}`;
    const whole = Object.fromEntries((schema.required ?? []).map((name) => [name, validOf(schema, name)]));

    const bodies = Object.keys(schema.properties).flatMap((name) =>
      [...VALUES, ...OBJECTS].map((value) => ({ ...whole, [name]: value })),
    );
    const differing = bodies.filter((body) => accepts(body) !== (api.mismatch(component, body) === undefined));

    expect(accepts(whole)).toBe(true);
    expect(differing).toEqual([]);
  });
});

interface Written {
  readonly title: string;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, { const?: unknown; properties?: object; required?: string[] }>>;
}

/** A value that a required field may have. */
function validOf({ properties }: Written, name: string): unknown {
  const { const: constant, required = [] } = properties[name] ?? {};
  const numbers = Object.fromEntries(required.map((field) => [field, 1]));
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(properties[name] ?? {});
  return [constant, ...VALUES, ...OBJECTS, numbers].find((value) => value !== undefined && accepts(value));
}
