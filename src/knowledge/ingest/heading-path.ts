const MOST_LEVELS = 9;
const LONGEST_TITLE = 200;

/** The sections that a place of a document stands in. */
export class HeadingPath {
  private readonly sections: { readonly level: number; readonly title: string }[] = [];

  /** The titles, the highest first. */
  get titles(): readonly string[] {
    return this.sections.map(({ title }) => title);
  }

  /** Enters the section under a heading; of titles, the first 200 characters are kept, with single spaces. */
  enter(level: number, heading: string): void {
    while ((this.sections.at(-1)?.level ?? 0) >= level) this.sections.pop();
    // Half of a pair of surrogates is no character.
    const title = withoutMarks(heading.slice(0, 4 * LONGEST_TITLE))
      .replaceAll(/\s+/g, ' ')
      .trim();
    this.sections.push({ level, title: [...title].slice(0, LONGEST_TITLE).join('').trim().toWellFormed() });
  }
}

/** Without the marks of Markdown, whose text is kept as it was written: `## Title`, or a line below the title. */
function withoutMarks(heading: string): string {
  return heading.replace(/^\s*#{1,6}\s+/, '').replace(/(?:\s#+|\n *(?:=+|-+))\s*$/, '');
}

/** The level of a heading as a number from 1 to 9; 1 where it says none. */
export function toLevel(level: number | undefined): number {
  return level === undefined || !(level >= 1) ? 1 : Math.min(Math.floor(level), MOST_LEVELS);
}
