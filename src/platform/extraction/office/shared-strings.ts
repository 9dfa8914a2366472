import { ExtractionFailed } from '../extraction-failed.js';
import { LIMITS } from '../limits.js';
import type { OfficePackage } from './office-package.js';

/** The texts that the cells of a workbook name by their place. They are in memory. @throws ExtractionFailed too_large */
export async function readSharedStrings(office: OfficePackage, part: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  let characters = 0;
  await office.read(part, {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 't') isText = true;
      else if (name === 'rPh') isPhonetic = true;
    },
    close: (name) => {
      if (name === 'si') strings.push(text);
      else if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    text: (part) => {
      if (!isText || isPhonetic) return;
      text += part;
      characters += part.length;
      if (characters > LIMITS.characters) throw new ExtractionFailed('too_large');
    },
  });
  return strings;
}
