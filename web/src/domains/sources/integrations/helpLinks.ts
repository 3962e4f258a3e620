import { connectableHosts } from '@sightline/contract/core/providers.ts';
import { docsHref } from '#lib/docs.ts';

/** The documentation page of each integration, by name. */
const pages: Record<string, string> = {
  github: docsHref('integrations-github'),
  ...Object.fromEntries(connectableHosts.map((host) => [host, docsHref(`integrations-${host}`)])),
  checkmarx: docsHref('integrations-checkmarx'),
  sonarqube: docsHref('integrations-sonarqube'),
  semgrep: docsHref('integrations-semgrep'),
  snyk: docsHref('integrations-snyk'),
  'dependency-track': docsHref('integrations-dependency-track'),
  sarif: docsHref('integrations-sarif'),
  'jira-cloud': docsHref('integrations-trackers'),
  'jira-data-center': docsHref('integrations-trackers'),
  linear: docsHref('integrations-trackers'),
  'code-scanning': docsHref('integrations-github', 'alerts-of-github'),
  dependabot: docsHref('integrations-github', 'alerts-of-github'),
  'secret-scanning': docsHref('integrations-github', 'alerts-of-github'),
  slack: docsHref('integrations-slack'),
  teams: docsHref('integrations-teams'),
  directory: docsHref('directory'),
  vscode: docsHref('integrations-editors'),
  brave: docsHref('integrations-browsers'),
  chrome: docsHref('integrations-browsers'),
  edge: docsHref('integrations-browsers'),
  firefox: docsHref('integrations-browsers'),
  opera: docsHref('integrations-browsers'),
};

export const helpHrefOf = (name: string): string | undefined => pages[name];

/** Returns the address of the troubleshooting section. */
export const troubleshootingHrefOf = (name: string): string | undefined =>
  pages[name]?.replace(/(#.*)?$/, '#troubleshooting');

/** Returns the address of the requirements section. */
export const requirementsHrefOf = (name: string): string | undefined =>
  pages[name]?.replace(/(#.*)?$/, '#requirements');
