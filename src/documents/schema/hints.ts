import type { BadRequest } from '../../errors.js';
import { memberOf } from '../../platform/json/json-object.js';
import type { JsonObject } from '../../platform/json/json-object.js';
import { readableName } from '../../platform/text/name.js';
import { SCHEMA_LIMITS } from './schema-limits.js';
import { pointerTo, schemaProblem } from './schema-problem.js';

const { labels: MOST_LABELS, labelLength, descriptionLength } = SCHEMA_LIMITS;

/** What the schemas of one field say about it: its own first, then those that it refers to. */
export class Hints {
  private readonly found = new Set<string>();
  private text: string | undefined;

  /** Of each schema the title, then the labels; none is blank, and none there twice. */
  get labels(): readonly string[] {
    return [...this.found];
  }

  /** That of the first schema that has one. */
  get description(): string | undefined {
    return this.text;
  }

  /** @throws BadRequest where they are no texts, too long or too many */
  add(schema: JsonObject, pointer: string): void {
    this.addLabel(memberOf(schema, 'title'), pointerTo(pointer, 'title'));
    const labels = memberOf(schema, 'x-labels');
    const place = pointerTo(pointer, 'x-labels');
    if (Array.isArray(labels)) {
      if (labels.length > MOST_LABELS) throw tooManyLabels(place);
      for (const [index, label] of labels.entries()) this.addLabel(label ?? null, pointerTo(place, index));
    } else this.addLabel(labels, place);
    const description = memberOf(schema, 'description');
    if (description === undefined) return;
    const text = requireText(description, pointerTo(pointer, 'description'), descriptionLength).trim();
    this.text ??= text || undefined;
  }

  private addLabel(label: unknown, pointer: string): void {
    if (label === undefined) return;
    const readable = readableName(requireText(label, pointer, labelLength), labelLength);
    if (readable !== '') this.found.add(readable);
    if (this.found.size > MOST_LABELS) throw tooManyLabels(pointer);
  }
}

function tooManyLabels(pointer: string): BadRequest {
  return schemaProblem(
    pointer,
    `a field has at most ${MOST_LABELS} labels, its title and those behind references included.`,
  );
}

function requireText(value: unknown, pointer: string, length: number): string {
  if (typeof value === 'string' && value.length <= length) return value;
  throw schemaProblem(pointer, `this is a text of at most ${length} characters.`);
}
