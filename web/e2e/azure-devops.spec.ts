import { testCodeHost } from './code-host.ts';

const project = 'azure-devops/collection/sandbox';

testCodeHost({
  provider: 'azure-devops',
  name: 'Azure DevOps',
  path: `${project}/widgets`,
  scope: project,
  commits: 120,
  api: '^/azure-devops/collection/sandbox/_apis/git/repositories/widgets/',
  repeatedList: '/commits',
  // As Azure DevOps Services.
  hasSignInPage: true,
});
