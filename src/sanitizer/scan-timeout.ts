/** Texts could not be looked through in the time that there is for it. */
export class ScanTimeout extends Error {
  constructor() {
    super('The rules take too long for this text.');
    this.name = 'ScanTimeout';
  }
}
