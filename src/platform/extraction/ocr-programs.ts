import { askProgram } from '../programs/ask-program.js';
import { findProgram } from '../programs/find-program.js';
import type { OcrPrograms } from './extraction.types.js';

/** Tells how text stands on a page, and is no language. */
const NO_LANGUAGES = new Set(['osd', 'equ', 'snum']);

/** Each further language makes recognition slower; who has more says which. */
const MOST_LANGUAGES = 4;

/**
 * Looks which programs for OCR are installed.
 * @param languages the languages to use, such as `eng+deu`; undefined: English and up to three others that are installed
 * @returns undefined where there is no tesseract, or it lacks the languages
 */
export async function findOcrPrograms(languages?: string): Promise<OcrPrograms | undefined> {
  const [tesseract, pdftoppm, pdfimages] = await Promise.all(
    ['tesseract', 'pdftoppm', 'pdfimages'].map((name) => findProgram(name)),
  );
  if (!tesseract) return undefined;
  const installed = await installedLanguages(tesseract);
  const chosen = languages?.split('+') ?? installed.slice(0, MOST_LANGUAGES);
  const isComplete = chosen.length > 0 && chosen.every((language) => installed.includes(language));
  const poppler = pdftoppm !== undefined && pdfimages !== undefined ? { pdftoppm, pdfimages } : {};
  return isComplete ? { tesseract, ...poppler, languages: chosen.join('+') } : undefined;
}

/** English first, where it is there. */
async function installedLanguages(tesseract: string): Promise<string[]> {
  try {
    const [, ...names] = (await askProgram(tesseract, '--list-langs')).split('\n').map((line) => line.trim());
    const languages = names.filter((name) => name !== '' && !NO_LANGUAGES.has(name));
    return languages.sort((one, other) => Number(other === 'eng') - Number(one === 'eng'));
  } catch {
    return [];
  }
}
