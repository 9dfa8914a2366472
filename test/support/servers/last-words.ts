/** Loaded into a server's process: fails at its top when it is told to, with errors that carry somebody's data. */
process.on('SIGUSR2', () => {
  void Promise.reject(Object.assign(new Error('nobody waits for this'), { parameters: ['a secret prompt'] }));
});
process.on('SIGHUP', () => {
  throw Object.assign(new Error('value "a secret prompt"'), {
    severity: 'ERROR',
    code: '22P02',
    detail: 'a secret prompt',
  });
});
