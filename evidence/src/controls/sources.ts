/** The data sources of controls, each with the remedy for missing data. */
export const sources = {
  repositories: {
    title: 'Enabled repositories',
    remedy:
      'Leave the repository enabled under Repositories. What happened while it was disabled cannot be recorded later.',
  },
  pushes: {
    title: 'Pushes to branches',
    remedy: 'Check under Integrations that the webhooks of the code host arrive, then import the repository again.',
  },
  pull_requests: {
    title: 'Pull requests and their reviews',
    remedy: 'Grant the code host connection permission to read pull requests, then import the repository again.',
  },
  identities: {
    title: 'Identity links of logins and email addresses',
    remedy: 'Link the login or email address to a person under Members.',
  },
  members: {
    title: 'Membership history',
    remedy: 'Invite the person, or link them to a member under Members.',
  },
  protection: {
    title: 'Branch protection',
    remedy: 'Grant the code host connection permission to read repository settings (GitHub: Administration, read).',
  },
  host_access: {
    title: 'Access on code hosts',
    remedy:
      'Grant the code host connection permission to read who has access (GitHub: Administration of the repository and of the organization, and Members, read), and leave the repository enabled.',
  },
  checks: {
    title: 'Commit checks and statuses',
    remedy: 'Grant the code host connection permission to read checks and commit statuses.',
  },
  tickets: {
    title: 'Issue tracker',
    remedy: 'Connect the issue tracker under Integrations, or link an issue to the pull request on the code host.',
  },
  scans: {
    title: 'Scanner runs',
    remedy: 'Configure a scanner for the repository, or see under Integrations why it fails.',
  },
  findings: {
    title: 'Scanner findings',
    remedy: 'Configure the scanner to report severities and the resolution of secrets, or set both on the finding.',
  },
  waivers: {
    title: 'Waivers and their decisions',
    remedy: 'Request the waiver again and have a current member decide on it.',
  },
  tools: {
    title: 'Detected tools and their approvals',
    remedy: 'Approve or deny the tool under Policies.',
  },
  presence: {
    title: 'Connection history of extensions',
    remedy: 'Ask the person to install and connect the extension.',
  },
  attribution: {
    title: 'Agent attribution',
    remedy: 'Configure agents to declare their contributions with git-ai notes, Agent Trace or commit trailers.',
  },
  access_reviews: {
    title: 'Access reviews',
    remedy: 'Finish and sign the access review of the quarter.',
  },
  digests: {
    title: 'Commit digest sign-offs',
    remedy: 'Ask a Digest Reviewer to sign off the digest.',
  },
  ledger: {
    title: 'Ledger self-checks and anchors',
    remedy: 'Run sightline doctor --ledger, and add an external anchor.',
  },
} as const satisfies Record<string, { readonly title: string; readonly remedy: string }>;

export type SourceId = keyof typeof sources;
