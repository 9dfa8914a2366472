/** A rule cannot be looked for as it is written. */
export class InvalidRule extends Error {
  /**
   * @param rule the position of the rule in its list
   * @param field the member of the rule that is wrong
   * @param message what to do about it
   * @param item the position of the wrong item where the member is a list and not the whole list is wrong
   */
  constructor(
    readonly rule: number,
    readonly field: 'kind' | 'pattern' | 'words' | 'region',
    message: string,
    readonly item?: number,
  ) {
    super(message);
    this.name = 'InvalidRule';
  }
}
