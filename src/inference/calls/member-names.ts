import type { JsonObject } from '../../platform/json/json-object.js';
import { transformName } from './known-names.js';
import type { ChangedTexts } from './known-names.js';

/**
 * Changes the names of the members of one object, one after another. One that becomes what another member is called gets
 * a number behind it (`[EMAIL] 2`), so that no member is lost.
 */
export class MemberNames {
  /** Names that were given, with the number that was last put behind each. */
  private given: Map<string, number> | undefined;

  /** @param holder the object as it is before, or while its members are renamed in it */
  constructor(
    private readonly holder: JsonObject,
    private readonly texts: ChangedTexts,
  ) {}

  /** What the name of a member becomes. @throws as the texts do */
  transform(name: string): string | Promise<string> {
    const changed = transformName(name, this.texts);
    return typeof changed === 'string' ? this.distinct(name, changed) : this.distinctWhenChanged(name, changed);
  }

  private async distinctWhenChanged(name: string, changed: Promise<string>): Promise<string> {
    return this.distinct(name, await changed);
  }

  private distinct(name: string, changed: string): string {
    if (changed === name) return name;
    this.given ??= new Map();
    let number = this.given.get(changed) ?? 1;
    let free = changed;
    while (Object.hasOwn(this.holder, free) || this.given.has(free)) {
      number += 1;
      free = `${changed} ${number}`;
    }
    this.given.set(free, 1);
    this.given.set(changed, number);
    return free;
  }
}
