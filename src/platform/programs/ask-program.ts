import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 10_000;

const answers = new Map<string, Promise<string>>();

/**
 * What an installed program prints of itself, such as its languages. It is asked once in this process.
 * @param path absolute
 * @throws Error where it fails, or takes longer than ten seconds; then it is asked again the next time
 */
export function askProgram(path: string, argument: string): Promise<string> {
  const key = `${path} ${argument}`;
  const known = answers.get(key);
  if (known) return known;
  const answer = run(path, [argument], { timeout: TIMEOUT_MS, env: {} }).then(({ stdout }) => stdout);
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}
