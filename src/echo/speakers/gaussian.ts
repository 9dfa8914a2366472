import { COEFFICIENTS } from './mfcc.js';

/** The lower triangle of a symmetric matrix, with its diagonal. */
const TRIANGLE = (COEFFICIENTS * (COEFFICIENTS + 1)) / 2;
/** What no voice varies less than. */
const LEAST_VARIANCE = 0.01;

/**
 * What is known of frames as a Gaussian with full covariance: their number, sums and products. So those of several
 * stretches are added, and frames need not be kept.
 */
export class Gaussian {
  count = 0;
  private readonly sums = new Float64Array(COEFFICIENTS);
  private readonly products = new Float64Array(TRIANGLE);
  private determinant: number | undefined;

  /** Adds a frame. @param place of its first number in `values` */
  addFrame(values: Float64Array, place: number): void {
    this.count += 1;
    this.determinant = undefined;
    for (let row = 0, cell = 0; row < COEFFICIENTS; row += 1) {
      const value = values[place + row] ?? 0;
      this.sums[row] = (this.sums[row] ?? 0) + value;
      for (let column = 0; column <= row; column += 1, cell += 1) {
        this.products[cell] = (this.products[cell] ?? 0) + value * (values[place + column] ?? 0);
      }
    }
  }

  /** Another one of the frames of both; or, with -1, of those of this one that are not the other's. */
  combine(other: Gaussian, sign: 1 | -1 = 1): Gaussian {
    const all = new Gaussian();
    all.count = this.count + sign * other.count;
    for (let i = 0; i < COEFFICIENTS; i += 1) all.sums[i] = (this.sums[i] ?? 0) + sign * (other.sums[i] ?? 0);
    for (let i = 0; i < TRIANGLE; i += 1) all.products[i] = (this.products[i] ?? 0) + sign * (other.products[i] ?? 0);
    return all;
  }

  /** The logarithm of the determinant of the covariance. */
  get logDeterminant(): number {
    if (this.determinant === undefined) {
      const root = this.root();
      let sum = 0;
      for (let row = 0; row < COEFFICIENTS; row += 1) sum += Math.log(root[(row * (row + 3)) / 2] ?? 1);
      this.determinant = 2 * sum;
    }
    return this.determinant;
  }

  /** How far the frames of another one lie from this one on average, squared, in standard deviations: COEFFICIENTS for its own. */
  distanceTo(other: Gaussian): number {
    const root = this.root();
    const inverse = invertLower(root);
    const moment = other.momentAround(this.means());
    // The trace of inverse · moment · inverseᵀ.
    let trace = 0;
    for (let row = 0; row < COEFFICIENTS; row += 1) {
      for (let i = 0; i <= row; i += 1) {
        let inner = 0;
        for (let j = 0; j <= row; j += 1) inner += at(moment, Math.max(i, j), Math.min(i, j)) * at(inverse, row, j);
        trace += at(inverse, row, i) * inner;
      }
    }
    return trace;
  }

  private means(): Float64Array {
    return this.sums.map((sum) => sum / Math.max(1, this.count));
  }

  /** The mean of (frame - center)(frame - center)ᵀ. */
  private momentAround(center: Float64Array): Float64Array {
    const means = this.means();
    const moment = new Float64Array(TRIANGLE);
    for (let row = 0, cell = 0; row < COEFFICIENTS; row += 1) {
      for (let column = 0; column <= row; column += 1, cell += 1) {
        const [a, b, p, q] = [means[row] ?? 0, means[column] ?? 0, center[row] ?? 0, center[column] ?? 0];
        moment[cell] = (this.products[cell] ?? 0) / Math.max(1, this.count) - a * q - p * b + p * q;
      }
    }
    return moment;
  }

  /** Cholesky's: the lower triangle whose square is the covariance. */
  private root(): Float64Array {
    const covariance = this.momentAround(this.means());
    const root = new Float64Array(TRIANGLE);
    for (let row = 0; row < COEFFICIENTS; row += 1) {
      const own = (row * (row + 1)) / 2;
      for (let column = 0; column <= row; column += 1) {
        const other = (column * (column + 1)) / 2;
        let sum = (covariance[own + column] ?? 0) + (row === column ? LEAST_VARIANCE : 0);
        for (let i = 0; i < column; i += 1) sum -= (root[own + i] ?? 0) * (root[other + i] ?? 0);
        root[own + column] =
          row === column ? Math.sqrt(Math.max(LEAST_VARIANCE / 10, sum)) : sum / (root[other + column] ?? 1);
      }
    }
    return root;
  }
}

/**
 * How much better two Gaussians describe the frames than one does (Chen and Gopalakrishnan 1998): above 0 they are two.
 * @param lambda the weight of the penalty for having two
 */
export function bicGain(one: Gaussian, other: Gaussian, lambda: number, both: Gaussian = one.combine(other)): number {
  const parameters = (COEFFICIENTS + (COEFFICIENTS * (COEFFICIENTS + 1)) / 2) / 2;
  const gain = both.count * both.logDeterminant - one.count * one.logDeterminant - other.count * other.logDeterminant;
  return gain / 2 - lambda * parameters * Math.log(Math.max(2, both.count));
}

function at(triangle: Float64Array, row: number, column: number): number {
  return triangle[(row * (row + 1)) / 2 + column] ?? 0;
}

function invertLower(root: Float64Array): Float64Array {
  const inverse = new Float64Array(TRIANGLE);
  for (let column = 0; column < COEFFICIENTS; column += 1) {
    for (let row = column; row < COEFFICIENTS; row += 1) {
      let sum = row === column ? 1 : 0;
      for (let i = column; i < row; i += 1) sum -= at(root, row, i) * at(inverse, i, column);
      inverse[(row * (row + 1)) / 2 + column] = sum / at(root, row, row);
    }
  }
  return inverse;
}
