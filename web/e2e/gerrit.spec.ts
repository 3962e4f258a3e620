import { testCodeHost } from './code-host.ts';

testCodeHost({
  provider: 'gerrit',
  name: 'Gerrit',
  path: 'sandbox/widgets',
  scope: 'sandbox',
  // More than a page of Gitiles.
  commits: 110,
  api: '^/gerrit/a/(?:projects/sandbox%2Fwidgets|plugins/gitiles/sandbox)',
  repeatedList: '\\+log',
  account: 'ada',
  isPolled: true,
  hasSeries: true,
});
