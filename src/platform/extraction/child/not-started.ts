/** In a child: its own code could not be loaded, or a program that it needs not be started. Nothing of the task is at fault. */
export class NotStarted extends Error {
  readonly reason = 'not_started';
}

/** What loads or starts; its failure becomes `NotStarted`. */
export function orNotStarted<T>(start: Promise<T>): Promise<T> {
  return start.catch((cause: unknown) => {
    throw new NotStarted('what a task needs cannot be started', { cause });
  });
}
