import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { type IntegrationCategory, integrationCategories } from '@sightline/contract/sources/integrations.ts';

/** spec 2.7: the categories of the page. */
export const categoryTitles: Record<IntegrationCategory, string> = {
  'source-code-management': 'Source Code Management',
  'browser-extensions': 'Developer Browser Extension',
  'ide-extensions': 'Developer IDE Extensions',
  'security-scanners': 'Security Scanners',
  chat: 'Chat',
  directories: 'Directories',
  'issue-trackers': 'Issue Trackers',
};

export const integrationsPath = '/integrations';
export const categoryPath = (category: IntegrationCategory): string => `${integrationsPath}/${category}`;
export const scannerPath = (name: ScannerName): string => `${categoryPath('security-scanners')}/${name}`;

export const directoryPath = `${categoryPath('directories')}/directory`;

/** Returns the category in a path; undefined for all categories. */
export const categoryOf = (path: string): IntegrationCategory | undefined =>
  integrationCategories.find((category) => path === categoryPath(category));
