import { afterEach } from 'vitest';
import { failureLog } from './failure-log.ts';

// A set-up file: tests provoke errors on purpose, so what a server logs is printed only where a test fails.
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(failureLog.lines.join(''));
  failureLog.lines.length = 0;
});
