import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { readBackendSettings } from '../../../src/inference/backends/backend-settings.js';
import type { BackendSettings } from '../../../src/inference/backends/backend-settings.js';
import { ConfigError } from '../../../src/platform/config/config.js';

describe('the settings of backends', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backends-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function read(file?: string, env: Record<string, string> = {}): BackendSettings[] {
    const path = join(folder, 'backends.yaml');
    if (file !== undefined) writeFileSync(path, file);
    const config = readConfig({ ...(file !== undefined && { BACKENDS_FILE: path }), ...env });
    return readBackendSettings(config);
  }

  it('are the builtin backend where nothing is set', () => {
    expect(read()).toEqual([{ id: 'builtin', kind: 'builtin' }]);
    expect(read(undefined, { BUILTIN_BACKEND: 'false' })).toEqual([]);
  });

  it('are made of OPENAI_BASE_URL and OPENAI_API_KEY', () => {
    const [backend] = read(undefined, { OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1', OPENAI_API_KEY: 'sk-1' });

    expect(backend).toMatchObject({
      id: 'openai',
      kind: 'openai',
      base_url: 'http://127.0.0.1:8000/v1',
      api_key: 'sk-1',
      timeout_seconds: 300,
      provider: 'openai',
      weight: 1,
      priority: 0,
      byok: false,
    });
  });

  it('are read from YAML and from JSON', () => {
    const yaml = `
backends:
  - id: gpu-1
    kind: openai
    base_url: http://10.0.0.5:8000/v1
    models: [llama, { id: fast, upstream: qwen-2.5 }]
    max_concurrency: 8
    queue: { max: 4, seconds: 2 }
    headers: { X-Team: research }
`;
    const expected = {
      id: 'gpu-1',
      models: [
        { id: 'llama', upstream: 'llama' },
        { id: 'fast', upstream: 'qwen-2.5' },
      ],
      max_concurrency: 8,
      queue: { max: 4, seconds: 2 },
      headers: { 'x-team': 'research' },
    };

    expect(read(yaml)[0]).toMatchObject(expected);
    expect(
      read(JSON.stringify({ backends: [{ ...expected, kind: 'openai', base_url: 'http://10.0.0.5/v1' }] }))[0],
    ).toMatchObject(expected);
  });

  it('tell all their problems together', () => {
    const file = JSON.stringify({
      backends: [
        { id: 'a b', kind: 'openai', base_url: 'ftp://x', timeout_seconds: 0, ca_file: '/does/not/exist' },
        {
          id: 'b',
          kind: 'openai',
          base_url: 'http://user:secret@x/v1',
          headers: { Host: 'x', 'x-a': 'line\nbreak' },
          supports: ['magic'],
        },
        { id: 'c', kind: 'openai', base_url: 'http://x', colour: 'red' },
        { id: 'd', kind: 'magic' },
      ],
    });

    const problem = thrownBy(() => read(file));

    expect(problem).toBeInstanceOf(ConfigError);
    for (const part of [
      '[0].id',
      '[0].base_url',
      '[0].timeout_seconds',
      '[0].ca_file',
      '[1].base_url',
      '[1].headers',
      '[1].supports',
      'colour',
      '[3].kind',
    ]) {
      expect(problem.message).toContain(part);
    }
    expect(problem.message).not.toContain('secret');
  });

  it.each([
    ['a file that is not there', undefined, { BACKENDS_FILE: '/does/not/exist.yaml' }, 'BACKENDS_FILE'],
    ['broken YAML', 'backends: [', {}, 'BACKENDS_FILE'],
    [
      'an id that is taken twice',
      'backends: [{id: openai, kind: builtin}]',
      { OPENAI_BASE_URL: 'http://x/v1' },
      'openai is taken twice',
    ],
    ['an empty file', '', {}, 'BACKENDS_FILE'],
  ])('refuse %s', (_what, file, env, message) => {
    expect(thrownBy(() => read(file, env)).message).toContain(message);
  });

  it.each([
    ['of a wrong form', 'backends: [{api_key: "sk-secret" oops'],
    ['with a key that looks like an alias', 'backends: [{id: a, api_key: *sk-secret }]'],
    ['with a key that looks like a tag', 'backends: [{id: a, api_key: !sk-secret x}]'],
  ])('never quote a file %s', (_what, file) => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();

    const { message } = thrownBy(() => read(file));

    expect(message).not.toContain('sk-secret');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}
