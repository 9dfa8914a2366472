/** A rule cannot be looked for as it is written. */
export class InvalidRule extends Error {
  /**
   * @param rule the position of the rule in its list
   * @param field the member of the rule that is wrong
   * @param message what to do about it
   */
  constructor(
    readonly rule: number,
    readonly field: 'kind' | 'pattern' | 'words' | 'region',
    message: string,
  ) {
    super(message);
    this.name = 'InvalidRule';
  }
}
