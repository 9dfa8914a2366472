import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { POLICIES } from '../../support/builders/sanitizer-policy.js';
import { TranslatedDocuments } from '../../support/builders/translated-documents.js';
import { toGerman, translating } from '../../support/builders/translating-model.js';
import { useGateway } from '../../support/servers/use-servers.js';

describe('documents of each format', () => {
  const gateway = useGateway({ env: { BUILTIN_BACKEND: 'false', PREVIEW_DOCUMENT_TRANSLATION: 'true' } });
  let documents: TranslatedDocuments;

  beforeAll(async () => {
    documents = new TranslatedDocuments(gateway.platform, gateway.token);
  });
  afterEach(() => gateway.backend.reset());

  it.each([
    ['a.txt', 'The house is red.\n', `${toGerman('The house is red.')}\n`],
    ['a.md', '# The *red* house\n', `# ${toGerman('The')} *${toGerman('red')}* ${toGerman('house')}\n`],
    ['a.json', '{"key": "The house"}', `{"key": "${toGerman('The house')}"}`],
    [
      'a.html',
      '<p class="x">The <b>red</b> house</p>',
      `<p class="x">${toGerman('The')} <b>${toGerman('red')}</b> ${toGerman('house')}</p>`,
    ],
    [
      'a.srt',
      '1\n00:00:01,000 --> 00:00:02,000\nThe house\n',
      `1\n00:00:01,000 --> 00:00:02,000\n${toGerman('The house')}\n`,
    ],
    [
      'a.vtt',
      'WEBVTT\n\n00:01.000 --> 00:02.000\nThe house\n',
      `WEBVTT\n\n00:01.000 --> 00:02.000\n${toGerman('The house')}\n`,
    ],
    ['a.po', 'msgid "The house"\nmsgstr ""\n', `msgid "The house"\nmsgstr "${toGerman('The house')}"\n`],
    ['Notes of May. Draft', 'The house\n', `${toGerman('The house')}\n`],
    ['a.properties', '# The house\nthe.house = The house\n', `# The house\nthe.house = ${toGerman('The house')}\n`],
    ['a.strings', '/* x */\n"house" = "The house";\n', `/* x */\n"house" = "${toGerman('The house')}";\n`],
    ['a.arb', '{"@@locale": "en", "a": "The house"}', `{"@@locale": "de", "a": "${toGerman('The house')}"}`],
    [
      'strings.xml',
      '<resources><string name="a">The house</string><string name="b" translatable="false">Acme</string></resources>',
      `<resources><string name="a">${toGerman('The house')}</string><string name="b" translatable="false">Acme</string></resources>`,
    ],
    [
      'a.xlf',
      '<xliff version="1.2"><file source-language="en"><trans-unit><source>The house</source></trans-unit></file></xliff>',
      `<xliff version="1.2"><file source-language="en" target-language="de"><trans-unit><source>The house</source><target state="translated">${toGerman('The house')}</target></trans-unit></file></xliff>`,
    ],
  ])('are read by their formats: %s', async (filename, content, translated) => {
    gateway.backend.byDefault = translating(toGerman);

    const { id, status, error } = await documents.translate(filename, content);

    expect([status, error]).toEqual(['completed', null]);
    expect((await documents.bytes(id as string)).toString()).toBe(translated);
  });

  it('have a text for each context, and tell the model which it is', async () => {
    const prompts: string[] = [];
    gateway.backend.byDefault = (request) => {
      prompts.push(request.body.messages.at(-1).content as string);
      return translating((text, id) => (id === 't1' ? toGerman(text) : `${toGerman(text)} jetzt`))(request);
    };
    const entry = (context: string) => `msgctxt "${context}"\nmsgid "Open the door"\nmsgstr ""\n`;

    const { id } = await documents.translate('a.po', `${entry('a menu')}\n${entry('a state')}`);

    expect(prompts).toEqual([expect.stringContaining('{"t1":"a menu","t2":"a state"}')]);
    expect((await documents.bytes(id as string)).toString().match(/msgstr ".+"/g)).toEqual([
      `msgstr "${toGerman('Open the door')}"`,
      `msgstr "${toGerman('Open the door')} jetzt"`,
    ]);
  });

  it('tell the model no more of a context than of a text', async () => {
    const rules = [{ kind: 'email', action: 'mask' }];
    await gateway.post(POLICIES, { name: 'x', rules });
    const prompts: string[] = [];
    gateway.backend.byDefault = (request) => {
      prompts.push(request.body.messages.at(-1).content as string);
      return translating(toGerman)(request);
    };

    await documents.translate('a.po', 'msgctxt "for ada@example.com"\nmsgid "Open the door"\nmsgstr ""\n');

    expect(prompts).toEqual([expect.stringContaining('{"t1":"for [EMAIL]"}')]);
  });
});
