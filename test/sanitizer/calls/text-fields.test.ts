import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { transformAnswer } from '../../../src/inference/calls/whole-answer-texts.js';
import { transformRequest } from '../../../src/inference/calls/request-texts.js';
import type { TextTransform } from '../../../src/inference/calls/text-transform.js';
import { ChoiceTextTransform } from '../../../src/inference/completions/choice-text-transform.js';
import { transformTranscript } from '../../../src/inference/speech/transcript-texts.js';
import { ResponseTextTransform } from '../../../src/inference/responses/response-text-transform.js';
import { textsOf, valueAt } from '../../support/builders/schema-texts.js';
import type { AnyJson } from '../../support/probes/any-json.js';

const document: AnyJson = JSON.parse(readFileSync('schema/openapi.json', 'utf8'));
const decisions: AnyJson = JSON.parse(readFileSync('test/fixtures/sanitized-fields.json', 'utf8'));
const FORMS = textForms();

/** Whatever the sanitizer finds in this file becomes `[FOUND]`. */
const finder: TextTransform = {
  transformPrompt: (text) => text.replaceAll('private', '[FOUND]'),
  beginAnswer: () => ({ write: (piece) => piece.replaceAll('private', '[FOUND]'), end: () => '' }),
};

describe('each place at which a text may stand, of each operation that calls a model', () => {
  it('has a decision in test/fixtures/sanitized-fields.json: `sanitized`, or why it is kept', () => {
    const places = FORMS.map(({ name, ways }) => [name, ways]);

    expect(
      Object.fromEntries(Object.entries(decisions).map(([name, ways]) => [name, Object.keys(ways as object)])),
    ).toEqual(Object.fromEntries(places));
  });

  it.each(waysOf('request'))('is treated as was decided: %s %s', async (name, way) => {
    const changed = await transformRequest(valueAt(way, 'Private is private: 1'), finder);

    expect(JSON.stringify(changed).includes('[FOUND]')).toBe(decisions[name][way] === 'sanitized');
  });

  it.each(waysOf('answer'))('is treated as was decided: %s %s', async (name, way) => {
    const answer = valueAt(way, 'Private is private: 1');

    await (isTranscript(name) ? transformTranscript(answer, finder) : transformAnswer(answer, finder));

    expect(JSON.stringify(answer).includes('[FOUND]')).toBe(decisions[name][way] === 'sanitized');
  });

  it.each(waysOf('event'))('is treated as was decided, in a piece and in a whole: %s %s', async (name, way) => {
    const changeOf = async (event: AnyJson) => {
      const transform = name.includes('completions')
        ? new ChoiceTextTransform(finder)
        : new ResponseTextTransform(finder);
      return [...(await transform.transform(event)), ...(await transform.flush())];
    };
    const piece = valueAt(way, 'Private is private: 1');
    const whole = { type: 'response.completed', ...valueAt(way, 'Private is private: 1') };

    const changed = [await changeOf(piece), await changeOf(whole)];

    const isSanitized = decisions[name][way] === 'sanitized';
    expect(changed.map((events) => JSON.stringify(events).includes('[FOUND]'))).toEqual([isSanitized, isSanitized]);
  });
});

/** The bodies and answers of the operations that may fail at a model server, and the ways to their texts. */
function textForms(): { name: string; ways: string[] }[] {
  // They ask models with requests of other operations, which stand here themselves.
  const askingOthers = ['/v1/knowledgebases/{id}/query', '/v1/researcher/analyze', '/v1/researcher/synthesize'];
  // It asks search providers, and no model.
  const search = '/v1/researcher/search';
  // It changes texts before they are cut into what engines read: test/translation/texts/sanitized-translation.test.ts.
  const translation = '/v1/translate/text';
  return Object.entries<AnyJson>(document.paths)
    .filter(([path]) => ![...askingOthers, search, translation].includes(path))
    .flatMap(([path, methods]) =>
      Object.entries<AnyJson>(methods)
        .filter(([, { responses }]) => responses['502'])
        .flatMap(([method, { requestBody, responses }]) => {
          const name = `${method.toUpperCase()} ${path}`;
          const answers = responses['200'].content;
          const { 'application/json': json, 'multipart/form-data': form } = requestBody.content;
          return [
            { name: `${name} request`, schema: json?.schema ?? withoutFile(form.schema) },
            { name: `${name} answer`, schema: answers['application/json']?.schema },
            // Events of an operation that answers no JSON are sound; those of transcripts are made of changed answers.
            {
              name: `${name} event`,
              schema: answers['application/json'] && !isTranscript(name) && answers['text/event-stream']?.schema,
            },
          ];
        }),
    )
    .filter(({ schema }) => schema)
    .map(({ name, schema }) => ({ name, ways: textsOf(document, schema) }));
}

/** Whether an operation answers what was said, which is changed as a whole before it gets its form. */
function isTranscript(name: string): boolean {
  return /\/(?:transcriptions|audio\/translations)(?: |$)/.test(name);
}

/** The fields of a form that are no file. */
function withoutFile({ properties: { file: _file, ...properties }, ...schema }: AnyJson): AnyJson {
  return { ...schema, properties };
}

function waysOf(form: string): [name: string, way: string][] {
  const ofForm = FORMS.filter(({ name }) => name.endsWith(` ${form}`));
  return ofForm.flatMap(({ name, ways }) => ways.map((way): [string, string] => [name, way]));
}
