/** The documentation pages that screens link to. */
export type DocName =
  | 'agents'
  | 'audit-streams'
  | 'api'
  | 'changes'
  | 'controls'
  | 'evidence'
  | 'frameworks'
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
  | 'directory'
  | 'saml'
  | 'ledger'
  | 'mcp'
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

/** The URL of a documentation page, or of a heading on it. A test verifies all uses. */
export const docsHref = (page: DocName, anchor?: string): string =>
  anchor === undefined ? `/docs/${page}` : `/docs/${page}#${anchor}`;
