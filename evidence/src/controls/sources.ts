/** Where the facts of controls come from, and the one action that brings them where they are missing. */
export const sources = {
  pushes: {
    title: 'Pushes to branches',
    closedBy: 'Check under Integrations that the code host’s webhooks arrive, then have the repository read again.',
  },
  pull_requests: {
    title: 'Pull requests and their reviews',
    closedBy:
      'Grant the connection of the code host the right to read pull requests, then have the repository read again.',
  },
  identities: {
    title: 'Which person a login or an address belongs to',
    closedBy: 'Say under Members which person the login or address belongs to.',
  },
  members: {
    title: 'Who was a member when',
    closedBy: 'Invite the person, or say under Members which member they are.',
  },
  protection: {
    title: 'Protection of branches',
    closedBy:
      'Grant the connection of the code host the right to read the settings of repositories (GitHub: Administration, read).',
  },
  checks: {
    title: 'Checks and statuses of commits',
    closedBy: 'Grant the connection of the code host the right to read checks and commit statuses.',
  },
  tickets: {
    title: 'The issue tracker',
    closedBy:
      'No issue tracker can be connected yet: link an issue to the pull request on the code host, and the change is traced by that.',
  },
  scans: {
    title: 'Runs of scanners',
    closedBy: 'Set a scanner up for the repository, or see under Integrations why it fails.',
  },
  findings: {
    title: 'What scanners found',
    closedBy: 'Have the scanner tell severities and how secrets were closed, or set both on the finding.',
  },
  exceptions: {
    title: 'Exceptions and who decided them',
    closedBy: 'Have the exception asked for and decided again by people who are members now.',
  },
  tools: {
    title: 'Tools that were seen, and what was decided about them',
    closedBy: 'Approve or deny the tool under Policies.',
  },
  presence: {
    title: 'When extensions of editors and browsers were connected',
    closedBy: 'Have the person install the extension and connect it.',
  },
  attribution: {
    title: 'Which agent wrote which lines',
    closedBy: 'Have agents declare what they write, by git-ai notes, Agent Trace or commit trailers.',
  },
  access_reviews: {
    title: 'Reviews of who has access',
    closedBy: 'Finish and sign the access review of the quarter.',
  },
  digests: {
    title: 'Commit digests and their sign-offs',
    closedBy: 'Have a Digest Reviewer sign the digest off.',
  },
  ledger: {
    title: 'The ledger’s own checks and anchors',
    closedBy: 'Run sightline doctor --ledger, and set up an anchor outside this installation.',
  },
} as const satisfies Record<string, { readonly title: string; readonly closedBy: string }>;

export type SourceId = keyof typeof sources;
