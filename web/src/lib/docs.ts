/** The pages for users that screens lead to. */
export type DocName =
  | 'audit-streams'
  | 'api'
  | 'changes'
  | 'controls'
  | 'evidence'
  | 'evidence-destinations'
  | 'explore'
  | 'getting-started'
  | 'integrations-bitbucket'
  | 'integrations-browsers'
  | 'integrations-checkmarx'
  | 'integrations-editors'
  | 'integrations-github'
  | 'integrations-gitlab'
  | 'integrations-sarif'
  | 'ledger'
  | 'notifications'
  | 'outgoing-webhooks'
  | 'policies'
  | 'privacy'
  | 'query-language'
  | 'repositories'
  | 'roles'
  | 'auditor-portals'
  | 'security'
  | 'tools'
  | 'verifying'
  | 'vulnerabilities';

/** The address of a page for users, or of a heading on it. A test holds every one that is written down. */
export const docsHref = (page: DocName, anchor?: string): string =>
  anchor === undefined ? `/docs/${page}` : `/docs/${page}#${anchor}`;
