import { afterAll, describe, expect, test } from '@jest/globals';
import { articlePage, openReader, readPage } from '../../../support/builders/web-pages.js';

const reader = openReader();
afterAll(() => reader.close());

describe('a page', () => {
  test('is read with its title, author, text, links and date', async () => {
    const head = `<meta name="author" content="A. Rower"><script type="application/ld+json">
      {"@graph":[{"@type":"WebPage"},{"@type":"Article","datePublished":"2024-05-12T10:00:00+02:00"}]}</script>`;
    const article = '<p>High water is at <b>noon</b>. See <a href="../tables?x=1#july">the tables</a>.</p>';

    const page = await readPage(reader, articlePage(article, head));

    expect(page).toMatchObject({
      title: 'Tides',
      byline: 'A. Rower',
      language: 'en',
      publishedAt: new Date('2024-05-12T08:00:00Z'),
      links: [
        { url: 'https://example.com/', text: 'Home' },
        { url: 'https://example.com/tables?x=1', text: 'the tables' },
      ],
      isScriptOnly: false,
    });
    expect(page.text).toContain('High water is at noon. See the tables.\n\nParagraph 0');
    expect(page.text).not.toContain('Home');
    expect(page.markdown).toContain(
      'High water is at **noon**. See [the tables](https://example.com/tables?x=1#july).',
    );
  });

  test('has lists, code and tables as such', async () => {
    const article = `<h2>Ports</h2><ul><li>Calais</li><li>Dover</li></ul><pre><code>if tide:
    sail()</code></pre><table><tr><th>Port</th><th>Depth</th></tr><tr><td>Calais</td><td>8 m</td></tr></table>`;

    const { text, markdown } = await readPage(reader, articlePage(article));

    expect(text).toContain(
      'Ports\n\nCalais\n\nDover\n\nif tide:\n    sail()\n\nPort | Depth\n\nCalais | 8 m\n\nParagraph 0',
    );
    expect(markdown).toContain('## Ports\n\n-   Calais\n-   Dover\n\n```\nif tide:\n    sail()\n```');
    expect(markdown).toMatch(/\| Port \| Depth \|\n\| --- \| --- \|\n\| Calais \| 8 m \|/);
  });

  test.each([
    ['a fragment', '<title>T</title><p>Only this.'],
    ['no body', '<html><head><title>T</title></head><p>Only this.</html>'],
    ['two bodies', '<html><body><title>T</title></body><body><p>Only this.</body></html>'],
    ['everything in its head', '<head><title>T</title><p>Only this.</head>'],
  ])('that is %s is read all the same', async (_, html) => {
    const { title, text, markdown } = await readPage(reader, html);

    expect([title, text, markdown]).toEqual(['T', 'Only this.', 'Only this.']);
  });

  test('that is a plain text is that text', async () => {
    const page = await readPage(reader, 'One.\n\n  <b>Two</b>', { mediaType: 'text/plain' });

    expect(page).toMatchObject({
      title: '',
      text: 'One.\n\n  <b>Two</b>',
      markdown: 'One.\n\n  <b>Two</b>',
      links: [],
    });
  });

  test.each([
    ['an article', articlePage('<p>High water is at noon.</p>')],
    ['a fragment', '<p>High water is at noon.</p>'],
  ])('whose text alone is wanted has the same text: %s', async (_, html) => {
    const page = await readPage(reader, html);

    const alone = await readPage(reader, html, { form: 'text' });

    expect(alone).toEqual({ ...page, markdown: '' });
  });

  test('that is nothing of that is refused', async () => {
    await expect(readPage(reader, '%PDF-', { mediaType: 'application/pdf' })).rejects.toMatchObject({
      reason: 'unsupported',
    });
  });
});

describe('the charset', () => {
  const XML = '<?xml version="1.0" encoding="windows-1251"?>';
  const COMMENTED = '<!-- <meta charset=koi8-r> --><script>"<meta charset=koi8-r>"</script><p>größe';
  const behindMuch = (page: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`<style>${' '.repeat(5_000)}</style>`), page]);
  const declared = (charset: string, text: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`<meta charset=${charset}><p>`), text]);

  test.each<[string, Buffer, string | undefined, string]>([
    ['a byte order mark before all else', Buffer.from('\uFEFF<meta charset=koi8-r><p>größe'), 'shift_jis', 'größe'],
    ['UTF-16', Buffer.from('\uFEFF<p>größe', 'utf16le'), undefined, 'größe'],
    ['the head of the answer', declared('utf-8', Buffer.from([0xc1, 0xc2])), 'koi8-r', 'аб'],
    ['the page', declared('shift_jis', Buffer.from([0x83, 0x5e])), undefined, 'タ'],
    ['the page behind much else', behindMuch(declared('shift_jis', Buffer.from([0x83, 0x5e]))), undefined, 'タ'],
    ['the page, but not a comment of it', behindMuch(Buffer.from(COMMENTED, 'latin1')), undefined, 'größe'],
    ['its XML declaration', Buffer.from(`${XML}<p>größe`, 'latin1'), undefined, 'grцЯe'],
    [
      'the page before its XML declaration',
      Buffer.from(`${XML}<meta charset=koi8-r><p>\xc1`, 'latin1'),
      undefined,
      'а',
    ],
    ['its XML declaration in UTF-16', Buffer.from(`${XML}<p>größe`, 'utf16le'), undefined, 'größe'],
    ['its bytes', Buffer.from('<p>größe'), undefined, 'größe'],
    ['nothing', Buffer.from('<p>größe', 'latin1'), undefined, 'größe'],
    ['nonsense', Buffer.from('<p>größe'), 'nonsense', 'größe'],
    ['one that hides what it says', Buffer.from('<p>größe'), 'iso-2022-kr', 'größe'],
  ])('is told by %s', async (_, bytes, charset, expected) => {
    const { text } = await readPage(reader, bytes, charset === undefined ? {} : { charset });

    expect(text).toBe(expected);
  });
});

describe('what nobody sees', () => {
  test.each([
    '<p hidden>SECRET</p>',
    '<div aria-hidden="true"><p>SECRET</p></div>',
    '<p style="display:none">SECRET</p>',
    '<div style="font-size:0"><span>SECRET</span></div>',
    '<p style="color:#ffffff;background:#FFFFFF">SECRET</p>',
    '<style>.gone{display:none}</style><p class="a gone">SECRET</p>',
    '<style>#gone{opacity:0}</style><p id="gone">SECRET</p>',
    '<script>"SECRET"</script>',
    '<noscript>SECRET</noscript>',
    '<template><p>SECRET</p></template>',
    '<!-- SECRET -->',
    '<iframe>SECRET</iframe>',
    '<object>SECRET</object>',
    '<svg><text>SECRET</text></svg>',
    '<dialog>SECRET</dialog>',
    '<input type="hidden" value="SECRET">',
    '<p data-text="SECRET" title="SECRET">A</p>',
    `<p>A${[...'SECRET'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}</p>`,
  ])('is in neither text, of an article, a short page and a huge one: %s', async (html) => {
    const pages = [articlePage(html), `<p>Short.</p>${html}`, `${html}<p>Deep.</p>${'<div>'.repeat(300)}`];

    const read = await Promise.all(pages.map((page) => readPage(reader, page)));

    // What style sheets hide is not known without a tree.
    const known = html.startsWith('<style>') ? read.slice(0, 2) : read;
    for (const { text, markdown } of known) expect(text + markdown).not.toMatch(/SECRET|[\u{e0000}-\u{e007f}]/u);
    expect(read.map(({ text }) => text)).toEqual([
      expect.stringContaining('Paragraph 0'),
      expect.stringContaining('Short.'),
      expect.stringContaining('Deep.'),
    ]);
  });
});

describe('the date', () => {
  const NEXT_YEAR = new Date().getUTCFullYear() + 2;

  test.each([
    ['<script type="application/ld+json">{"datePublished":"2020-01-02"}</script>', '2020-01-02T00:00:00.000Z'],
    [
      '<script type="application/ld+json">{broken</script><meta name="date" content="2020-01-02">',
      '2020-01-02T00:00:00.000Z',
    ],
    ['<meta property="article:published_time" content="2020-01-02T03:04:05Z">', '2020-01-02T03:04:05.000Z'],
    ['<meta name="citation_publication_date" content="2020/1/2">', '2020-01-02T00:00:00.000Z'],
    ['<meta name="dc.date" content="2020-03">', '2020-03-01T00:00:00.000Z'],
    ['<meta name="date" content="2020-01-02T03:04:05+0100">', '2020-01-02T02:04:05.000Z'],
    ['<time datetime="2020-01-02T03:04">then</time>', '2020-01-02T03:04:00.000Z'],
    ['<time>2 January 2020</time>', '2020-01-02T00:00:00.000Z'],
    [
      '<time datetime="2019-01-02"></time><time itemprop="datePublished" datetime="2020-01-02"></time>',
      '2020-01-02T00:00:00.000Z',
    ],
    [`<time datetime="${NEXT_YEAR}-01-02"></time>`, null],
    ['<time datetime="1066-10-14"></time>', null],
    ['<time>yesterday</time>', null],
    ['<meta name="date" content="2020-99-99">', null],
    ['', null],
  ])('of %s is %s', async (html, expected) => {
    const { publishedAt } = await readPage(reader, `<p>Text.</p>${html}`);

    expect(publishedAt?.toISOString() ?? null).toBe(expected);
  });
});

describe('the language', () => {
  const german = 'Die Gezeiten wechseln zweimal am Tag, und die Schiffe warten im Hafen auf das Hochwasser. '.repeat(5);

  test.each([
    ['<html lang="de-AT">', 'de'],
    ['<html xml:lang="FR">', 'fr'],
    ['<html lang="">', 'de'],
    ['<html lang="english">', 'de'],
    ['<meta http-equiv="Content-Language" content="it, en">', 'it'],
  ])('of a German text below %s is %s', async (head, expected) => {
    const { language } = await readPage(reader, `${head}<p>${german}</p>`);

    expect(language).toBe(expected);
  });
});

describe('a page that needs its scripts', () => {
  test.each([
    ['<div id="root"></div><script src="/a.js"></script>', true],
    ['<noscript>Please enable JavaScript.</noscript><p>Loading the application</p><script>1</script>', true],
    ['<p>You need JavaScript to see this page.</p><script>1</script>', true],
    ['<script>document.write("x")</script>', true],
    ['<p>A page of one short line that says something all the same.</p><script>1</script>', false],
    ['<p>Short.</p>', false],
    ['', false],
    [articlePage('<div id="root"></div><script>1</script><noscript>JavaScript</noscript>'), false],
  ])('%s: %s', async (html, expected) => {
    const { isScriptOnly } = await readPage(reader, html);

    expect(isScriptOnly).toBe(expected);
  });
});

describe('the links', () => {
  test('lead to pages of the web alone, each once', async () => {
    const html = `<base href="/b/"><a href="c">C</a><a href="c#d">again</a><a href="//other.test/x">X</a>
      <a href="javascript:alert(1)">J</a><a href="mailto:a@b.test">M</a><a href="data:text/html,x">D</a>
      <a href="https://example.com/dir/page#x">here</a><a href="http://[">broken</a><a hidden href="/h">H</a>`;

    const { links, markdown } = await readPage(reader, html);

    expect(links).toEqual([
      { url: 'https://example.com/b/c', text: 'C' },
      { url: 'https://other.test/x', text: 'X' },
    ]);
    expect(markdown).not.toMatch(/javascript:|data:|mailto:/);
  });
});
