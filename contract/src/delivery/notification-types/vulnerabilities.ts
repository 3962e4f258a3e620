import { deciders, type NamedSubject, type NotificationDefinition, type SeverityCounts } from './definition.ts';

interface ScannedFindings {
  repository: NamedSubject;
  /** The scanner. */
  tool: string;
  tally: SeverityCounts;
}

const contentOf = (type: string, { repository, tool, tally }: ScannedFindings) => ({
  // Counted for each scanner on its own.
  scope: `${type}:${repository.id}:${tool}`,
  link: `/vulnerabilities?repository=${repository.id}`,
  subject: { kind: 'repository', ident: repository.name },
  repositoryId: repository.id,
  count: tally.reduce<number>((sum, count) => sum + count, 0),
  tally,
});

export const vulnerabilityNotifications = {
  'finding.new': {
    group: 'Vulnerabilities',
    label: 'New vulnerabilities',
    description: 'A scan found a new vulnerability.',
    severity: 'high',
    audience: 'read:vulnerabilities',
    weighed: true,
    mails: deciders,
    text: (facts: ScannedFindings) => ({
      ...contentOf('finding.new', facts),
      title: `A new vulnerability in ${facts.repository.name}`,
      titles: `{count} new vulnerabilities in ${facts.repository.name}`,
      body: `Found by ${facts.tool}`,
    }),
  },
  'finding.severity_changed': {
    group: 'Vulnerabilities',
    label: 'Severity changed',
    description: 'A scanner changed the severity of an open vulnerability.',
    severity: 'medium',
    audience: 'read:vulnerabilities',
    weighed: true,
    mails: [],
    text: (facts: ScannedFindings) => ({
      ...contentOf('finding.severity_changed', facts),
      title: `The severity of a vulnerability changed in ${facts.repository.name}`,
      titles: `The severity of {count} vulnerabilities changed in ${facts.repository.name}`,
      body: `Rated by ${facts.tool}`,
    }),
  },
} as const satisfies Record<string, NotificationDefinition>;
