import { afterEach } from 'vitest';
import { failureLog } from './failure-log.ts';

// A setup file: tests cause errors intentionally, so the log of a server is printed only for failed tests.
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(failureLog.lines.join(''));
  failureLog.lines.length = 0;
});
