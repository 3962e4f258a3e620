import type { Flag } from '@sightline/contract/core/flags.ts';

/** The label of each flag, and the features it enables. */
export const flagDescriptions: Record<Flag, { label: string; opens: string }> = {
  release2: { label: 'Release 2', opens: 'Repositories and Explore' },
  extendedSettings: { label: 'Extended settings', opens: 'The Danger Zone of an organization' },
  accountLinking: { label: 'Account linking', opens: 'Linking and merging accounts' },
  businessRoles: { label: 'Business roles', opens: 'The Auditor role for new members' },
  vulnerabilities: { label: 'Vulnerabilities', opens: 'Vulnerabilities, scans, scanners and access keys' },
  notificationSystem: { label: 'Notification system', opens: 'Inbox, bell, settings and emails of notifications' },
  exploreDebuggingUi: { label: 'Explore debugging UI', opens: 'Counts of loaded and duplicate events in Explore' },
  dependabotInIntegrations: { label: 'Dependabot in integrations', opens: 'Alerts of Dependabot' },
  vulnerabilitiesEtl: { label: 'Vulnerabilities ETL', opens: 'Not used' },
  jira: { label: 'Jira', opens: 'Not used' },
  codecov: { label: 'Codecov', opens: 'Not used' },
  dashboards: { label: 'Dashboards', opens: 'Not used' },
  graphPreview: { label: 'Graph preview', opens: 'Not used' },
};
