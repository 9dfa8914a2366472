/** One thing that was observed: its features, and whether it was right. */
export interface Observation {
  readonly features: readonly number[];
  readonly isRight: boolean;
}

/** A fitted model: the weight of each feature, behind that of a feature that is always 1. */
export type Weights = readonly number[];

/** Newton's method has converged by then, if it ever does. */
const MOST_STEPS = 50;
const SMALL_STEP = 1e-8;

/** The probability that a logistic model gives to features: 1 / (1 + e^-(w₀ + w·x)). */
export function predict(weights: Weights, features: readonly number[]): number {
  let sum = weights[0] ?? 0;
  for (const [index, feature] of features.entries()) sum += (weights[index + 1] ?? 0) * feature;
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Fits a logistic regression by Newton's method (iteratively reweighted least squares) with a ridge, which keeps the
 * weights finite where a feature parts right from wrong. It has one optimum, so the same observations give the same
 * weights. Takes time in proportion to the observations and the square of the features.
 * @param ridge the penalty on the sum of squares of the weights but the first: 1 is as much as one observation
 * @see Hastie, Tibshirani, Friedman: The Elements of Statistical Learning, 4.4
 */
export function fitLogistic(observations: readonly Observation[], ridge: number): Weights {
  const size = (observations[0]?.features.length ?? 0) + 1;
  const weights = Array.from({ length: size }, () => 0);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { gradient, curvature } = derive(observations, weights, ridge);
    const change = solve(curvature, gradient);
    let largest = 0;
    for (const [index, delta] of change.entries()) {
      weights[index] = (weights[index] as number) + delta;
      largest = Math.max(largest, Math.abs(delta));
    }
    if (largest < SMALL_STEP) break;
  }
  return weights;
}

/** The slope of the likelihood with its penalty, and how it bends. */
function derive(
  observations: readonly Observation[],
  weights: readonly number[],
  ridge: number,
): { readonly gradient: number[]; readonly curvature: number[][] } {
  const size = weights.length;
  const gradient = weights.map((weight, index) => (index === 0 ? 0 : -ridge * weight));
  const curvature = weights.map((_, row) => weights.map((__, column) => (row === column && row > 0 ? ridge : 0)));
  for (const { features, isRight } of observations) {
    const probability = predict(weights, features);
    const [error, bend] = [Number(isRight) - probability, Math.max(1e-9, probability * (1 - probability))];
    for (let row = 0; row < size; row += 1) {
      const value = row === 0 ? 1 : (features[row - 1] as number);
      if (value === 0) continue;
      gradient[row] = (gradient[row] as number) + error * value;
      const line = curvature[row] as number[];
      for (let column = 0; column < size; column += 1) {
        const other = column === 0 ? 1 : (features[column - 1] as number);
        line[column] = (line[column] as number) + bend * value * other;
      }
    }
  }
  return { gradient, curvature };
}

/** Solves a system of linear equations by Gauss's elimination; what a feature that never occurs would be is 0. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, values[index] as number]);
  for (let pivot = 0; pivot < rows.length; pivot += 1) {
    const best = rows.reduce(
      (most, row, index) => (index > pivot && magnitude(row, pivot) > magnitude(rows[most], pivot) ? index : most),
      pivot,
    );
    [rows[pivot], rows[best]] = [rows[best] as number[], rows[pivot] as number[]];
    const line = rows[pivot] as number[];
    const head = line[pivot] as number;
    if (Math.abs(head) < 1e-12) continue;
    for (const [index, row] of rows.entries()) {
      if (index === pivot) continue;
      const factor = (row[pivot] as number) / head;
      if (factor === 0) continue;
      for (let column = pivot; column < row.length; column += 1) {
        row[column] = (row[column] as number) - factor * (line[column] as number);
      }
    }
  }
  return rows.map((row, index) =>
    Math.abs(row[index] as number) < 1e-12 ? 0 : (row.at(-1) as number) / (row[index] as number),
  );
}

function magnitude(row: readonly number[] | undefined, column: number): number {
  return Math.abs(row?.[column] ?? 0);
}
