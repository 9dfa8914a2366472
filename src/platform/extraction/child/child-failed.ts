/**
 * A child did not do its task. The reason is the one that the task told, `failed` where it told none; or what happened to
 * the child: `timeout`, `out_of_memory`, `interrupted` where it was ended from outside, or `not_started` where it, or a
 * program that it needs, could not start: that is nothing of the task.
 */
export class ChildFailed extends Error {
  constructor(readonly reason: string) {
    super(`a child process has not done its task: ${reason}`);
    this.name = 'ChildFailed';
  }
}
