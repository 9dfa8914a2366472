import { readHtmlUnits } from '../../../src/translation/html/read-html-units.js';

/** An HTML document, each of whose texts has become another. */
export function mapTexts(html: string, change: (text: string) => string): string {
  const { units, write } = readHtmlUnits(html);
  return write(
    new Map(
      units.map(({ id, inline }) => [
        id,
        inline.map((part) => (part.kind === 'text' ? { kind: 'text', text: change(part.text) } : part)),
      ]),
    ),
  );
}

/** An HTML document whose units are written as they are. */
export const identity = (html: string): string => mapTexts(html, (text) => text);
