import type { CooperativeYield } from '../../platform/async/cooperative-yield.js';
import { ComparableStatement } from './comparable-statement.js';
import type { Relation } from './comparable-statement.js';

/** Statements that are compared, each with one of those before it for each thing that they speak of. */
const MOST_STATEMENTS = 500;
const MOST_SIDES = 8;

/** A statement of a source. */
export interface SourcedStatement {
  readonly text: string;
  readonly sourceId: string;
  /** How far the source is trusted, from 0 to 1. */
  readonly credibility: number;
  /** As BCP 47 tag; null where it is not known. */
  readonly language: string | null;
}

/** What some sources say where others say otherwise. */
export interface ContradictingSide {
  /** How likely one of its sources at least is right, if each is so by its credibility: 1 − ∏ (1 − credibility). */
  readonly weight: number;
  readonly statements: readonly SourcedStatement[];
}

/** Sources that contradict each other: all that they say is shown. */
export interface Contradiction {
  readonly kind: 'number' | 'negation';
  /** Two or more, the one of the greatest weight first. */
  readonly sides: readonly ContradictingSide[];
}

interface Side {
  readonly first: ComparableStatement;
  readonly statements: SourcedStatement[];
}

/** Statements that speak of the same, by what they say. */
interface Topic {
  kind: 'number' | 'negation' | undefined;
  readonly sides: Side[];
}

/**
 * Finds where sources contradict each other: statements with the same words, another number or a negation, and no year
 * that differs. Of one source a side has one statement, and what one source says twice contradicts nothing alone.
 * Compares 500 statements at most, with turns for others.
 * @param statements in an order that does not change for the same sources
 * @throws the reason of the signal of the cooperation
 */
export async function findContradictions(
  statements: readonly SourcedStatement[],
  cooperation: CooperativeYield,
): Promise<Contradiction[]> {
  const topics: Topic[] = [];
  for (const statement of statements.slice(0, MOST_STATEMENTS)) {
    if (cooperation.isDue) await cooperation.yield();
    const comparable = new ComparableStatement(statement.text, statement.language);
    let isPlaced = false;
    for (const topic of topics) {
      const relations = await relationsTo(topic, comparable, cooperation);
      isPlaced = place(topic, statement, comparable, relations);
      if (isPlaced) break;
    }
    if (!isPlaced) topics.push({ kind: undefined, sides: [{ first: comparable, statements: [statement] }] });
  }
  return topics.flatMap(toContradiction);
}

/** How a statement stands to each side; the first one that says the same is enough. */
async function relationsTo(
  { sides }: Topic,
  comparable: ComparableStatement,
  cooperation: CooperativeYield,
): Promise<(Relation | undefined)[]> {
  const relations: (Relation | undefined)[] = [];
  for (const { first } of sides) {
    if (cooperation.isDue) await cooperation.yield();
    const relation = comparable.relationTo(first);
    relations.push(relation);
    if (relation === 'same') break;
  }
  return relations;
}

/** Puts a statement beside those that say the same, or against those that say otherwise; false where it is of another thing. */
function place(
  topic: Topic,
  statement: SourcedStatement,
  comparable: ComparableStatement,
  relations: readonly (Relation | undefined)[],
): boolean {
  const { sides } = topic;
  const same = sides[relations.indexOf('same')];
  if (same) {
    if (!same.statements.some(({ sourceId }) => sourceId === statement.sourceId)) same.statements.push(statement);
    return true;
  }
  const kind = relations.find((relation) => relation === 'number' || relation === 'negation');
  if (kind === undefined) return false;
  if (sides.length < MOST_SIDES) {
    topic.kind ??= kind;
    sides.push({ first: comparable, statements: [statement] });
  }
  return true;
}

function toContradiction({ kind, sides }: Topic): Contradiction[] {
  const sources = new Set(sides.flatMap(({ statements }) => statements.map(({ sourceId }) => sourceId)));
  if (kind === undefined || sides.length < 2 || sources.size < 2) return [];
  const weighed = sides.map(({ statements }) => ({ weight: weightOf(statements), statements }));
  return [{ kind, sides: weighed.toSorted((one, other) => other.weight - one.weight) }];
}

function weightOf(statements: readonly SourcedStatement[]): number {
  const wrong = statements.reduce((product, { credibility }) => product * (1 - clamped(credibility)), 1);
  return Math.round((1 - wrong) * 1_000) / 1_000;
}

function clamped(credibility: number): number {
  return Number.isFinite(credibility) ? Math.min(1, Math.max(0, credibility)) : 0;
}
