import { RequestError } from 'octokit';
import { expect, test } from 'vitest';
import { githubFailureFrom } from './github/failures.ts';
import { hostFailureReason } from './host-failure.ts';

const path = '/srv/repositories/widgets.git';
const refused = (status: number) => {
  const request = { method: 'GET', url: 'https://api.code.example/repos', headers: {} } as const;
  const response = { status, url: request.url, headers: {}, data: {}, retryCount: 0 };
  return githubFailureFrom(new RequestError(`git log failed in ${path}`, status, { request, response }));
};

test('discloses no server files in internal errors and in server errors of the code host', () => {
  expect(hostFailureReason(new Error(`ENOENT: no such file or directory, open '${path}'`))).toBeUndefined();
  expect(hostFailureReason(refused(500))).toBe('GitHub answered 500');
});
