/** What a computation takes of a processor, in seconds: what else runs on the machine changes it little. */
export function cpuSecondsOf(compute: () => unknown): number {
  const before = process.cpuUsage();
  compute();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
