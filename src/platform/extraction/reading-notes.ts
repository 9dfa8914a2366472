import type { ExtractedPage } from './extraction.types.js';

/** So many pages are named; of more it is told how many there are. */
const MOST_NAMED = 20;

/** What is to be told of a file that was read, beside its text. */
export class ReadingNotes {
  /** Pages that could not be read, from 1. */
  readonly pagesFailed: number[] = [];
  private readonly blank: number[] = [];
  private readonly unrecognized: number[] = [];
  private page: { readonly number: number; isBlank: boolean } | undefined;
  private charset: string | undefined;

  /** To be told all pages, and the pieces of each, in their order. */
  note({ number, text, failed, assumedCharset, isUnrecognized = false }: ExtractedPage): void {
    this.charset ??= assumedCharset;
    if (failed && number !== undefined) this.pagesFailed.push(number);
    if (isUnrecognized && number !== undefined) this.unrecognized.push(number);
    if (number !== this.page?.number) {
      this.endPage();
      this.page = number === undefined ? undefined : { number, isBlank: true };
    }
    if (this.page && (failed || text.trim() !== '')) this.page.isBlank = false;
  }

  /** What users are told of a file all of which was noted. */
  get warnings(): string[] {
    this.endPage();
    const warnings: string[] = [];
    if (this.charset !== undefined) {
      warnings.push(
        `The file does not say its charset, and was read as ${this.charset}: save it as UTF-8 if characters are wrong.`,
      );
    }
    if (this.unrecognized.length > 0) {
      const pages = namePages(this.unrecognized);
      warnings.push(`Pictures on ${pages} were not read: text recognition is not installed.`);
    }
    if (this.blank.length > 0) warnings.push(`No text was found on ${namePages(this.blank)}.`);
    return warnings;
  }

  private endPage(): void {
    if (this.page?.isBlank) this.blank.push(this.page.number);
    this.page = undefined;
  }
}

function namePages(pages: readonly number[]): string {
  const more = pages.length - MOST_NAMED;
  const named = pages.slice(0, MOST_NAMED).join(', ');
  return `${pages.length === 1 ? 'page' : 'pages'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
