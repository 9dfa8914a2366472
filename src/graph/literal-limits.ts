import { Kind } from 'graphql';
import type { ValueNode } from 'graphql';
import { BadRequest } from '../errors.js';
import { isDeeperThan, MAX_JSON_DEPTH } from '../platform/json/json-depth.js';

/** Of what variables add to literals beside the first time: a short document could stand for gigabytes. */
const MAX_REPEATED_CHARACTERS = 1024 * 1024;

/** How a variable is used within literals. */
interface VariableUse {
  count: number;
  /** Of the deepest place: how many lists and objects are around it. */
  depth: number;
}

/** Checks how deep the literals of a document are, and how large they become by the variables that stand in them. */
export class LiteralLimits {
  private readonly uses = new Map<string, VariableUse>();
  /** The characters of the longest default that each variable has. */
  private readonly defaultLengths = new Map<string, number>();

  /** @param given the variables as they came */
  constructor(private readonly given: Readonly<Record<string, unknown>>) {}

  /**
   * Takes in a literal, or a variable in the place of one. Walks level by level, so that depth costs no stack.
   * @throws BadRequest where it is too deep
   */
  add(value: ValueNode): void {
    let level: readonly ValueNode[] = [value];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_JSON_DEPTH + 1) throw tooDeep();
      level = level.flatMap((node) => {
        if (node.kind === Kind.VARIABLE && depth > 0) this.countUse(node.name.value, depth);
        if (node.kind === Kind.LIST) return node.values;
        return node.kind === Kind.OBJECT ? node.fields.map((field) => field.value) : [];
      });
    }
  }

  /** Takes in the default of a variable. @throws as `add` does */
  addDefault(name: string, value: ValueNode): void {
    this.add(value);
    const { start = 0, end = 0 } = value.loc ?? {};
    this.defaultLengths.set(name, Math.max(end - start, this.defaultLengths.get(name) ?? 0));
  }

  /**
   * Checks what the variables make of the literals, once all of them have been taken in.
   * @throws BadRequest where one becomes too deep, or all of them too large
   */
  checkVariables(): void {
    let repeated = 0;
    for (const [name, { count, depth }] of this.uses) {
      const value = Object.hasOwn(this.given, name) ? this.given[name] : undefined;
      if (isDeeperThan(MAX_JSON_DEPTH - depth, value)) throw tooDeep();
      if (count > 1) repeated += (count - 1) * this.lengthOf(name, value);
    }
    if (repeated <= MAX_REPEATED_CHARACTERS) return;
    throw new BadRequest(
      `Variables that stand several times within values may add ${MAX_REPEATED_CHARACTERS} characters; send the whole value as one variable.`,
    );
  }

  private lengthOf(name: string, value: unknown): number {
    return value === undefined ? (this.defaultLengths.get(name) ?? 0) : JSON.stringify(value).length;
  }

  private countUse(name: string, depth: number): void {
    const use = this.uses.get(name);
    if (use) {
      use.count += 1;
      use.depth = Math.max(use.depth, depth);
    } else {
      this.uses.set(name, { count: 1, depth });
    }
  }
}

function tooDeep(): BadRequest {
  return new BadRequest(`A value is nested deeper than ${MAX_JSON_DEPTH} levels.`);
}
