export interface DocGroup {
  title: string;
  /** File names without extension. */
  pages: readonly string[];
  /** Folder in `docs/`, with a trailing slash. */
  folder: '' | 'user/';
}

/** The table of contents. A file missing from this list, or an entry without a file, fails the build. */
export const docGroups: readonly DocGroup[] = [
  { title: 'Begin', folder: 'user/', pages: ['getting-started', 'tips', 'roles', 'privacy'] },
  {
    title: 'Screens',
    folder: 'user/',
    pages: [
      'explore',
      'tools',
      'agents',
      'mcp',
      'vulnerabilities',
      'repositories',
      'evidence',
      'frameworks',
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
      'integrations-gitea',
      'integrations-bitbucket-data-center',
      'integrations-azure-devops',
      'integrations-gerrit',
      'integrations-checkmarx',
      'integrations-sonarqube',
      'integrations-semgrep',
      'integrations-snyk',
      'integrations-dependency-track',
      'integrations-sarif',
      'directory',
      'saml',
      'integrations-trackers',
      'integrations-editors',
      'integrations-browsers',
      'integrations-slack',
      'integrations-teams',
    ],
  },
  { title: 'For programs', folder: 'user/', pages: ['api', 'outgoing-webhooks'] },
  { title: 'In depth', folder: '', pages: ['controls', 'changes', 'query-language', 'verifying', 'security'] },
];
