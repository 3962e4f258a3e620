import { testCodeHost } from './code-host.ts';

testCodeHost({
  provider: 'gitea',
  name: 'Forgejo / Gitea',
  path: 'sandbox/widgets',
  scope: 'sandbox',
  commits: 60,
  api: '^/gitea/api/v1/repos/sandbox/widgets',
  repeatedList: '/commits',
});
