export interface DocGroup {
  title: string;
  /** Files without their ending. */
  pages: readonly string[];
  /** Where in `docs/` they are, with a slash at the end. */
  folder: '' | 'user/';
}

/** The list of pages as it is shown. What has no place here, or no file, breaks the build. */
export const docGroups: readonly DocGroup[] = [
  { title: 'Begin', folder: 'user/', pages: ['getting-started', 'roles', 'privacy'] },
  {
    title: 'Screens',
    folder: 'user/',
    pages: [
      'explore',
      'tools',
      'vulnerabilities',
      'repositories',
      'evidence',
      'auditor-portals',
      'evidence-destinations',
      'ledger',
      'audit-streams',
      'policies',
      'notifications',
    ],
  },
  {
    title: 'Integrations',
    folder: 'user/',
    pages: [
      'integrations-github',
      'integrations-gitlab',
      'integrations-bitbucket',
      'integrations-checkmarx',
      'integrations-sarif',
      'integrations-editors',
      'integrations-browsers',
    ],
  },
  { title: 'For programs', folder: 'user/', pages: ['api', 'outgoing-webhooks'] },
  { title: 'In depth', folder: '', pages: ['controls', 'changes', 'query-language', 'verifying', 'security'] },
];
