import type { ConnectableHost } from '@sightline/contract/core/providers.ts';

/** The documentation pages that screens link to. */
export type DocName =
  // The pages of code hosts without an app.
  | `integrations-${ConnectableHost}`
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
  | 'integrations-browsers'
  | 'integrations-checkmarx'
  | 'integrations-sonarqube'
  | 'integrations-semgrep'
  | 'integrations-snyk'
  | 'integrations-dependency-track'
  | 'integrations-editors'
  | 'integrations-github'
  | 'integrations-sarif'
  | 'integrations-slack'
  | 'integrations-teams'
  | 'directory'
  | 'saml'
  | 'integrations-trackers'
  | 'ledger'
  | 'mcp'
  | 'notifications'
  | 'outgoing-webhooks'
  | 'policies'
  | 'privacy'
  | 'query-language'
  | 'tips'
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
