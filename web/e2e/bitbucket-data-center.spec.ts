import { testCodeHost } from './code-host.ts';

testCodeHost({
  provider: 'bitbucket-data-center',
  name: 'Bitbucket Data Center',
  path: 'SANDBOX/widgets',
  scope: 'SANDBOX',
  commits: 110,
  api: '^/bitbucket-data-center/rest/api/latest/projects/SANDBOX/repos/widgets',
  repeatedList: '/commits',
});
