import { githubAlerts } from '../card.ts';

export const manifest = githubAlerts({
  name: 'dependabot',
  title: 'Dependabot alerts',
  description: 'Vulnerable versions of the packages that your code uses.',
  source: 'dependabot',
  permission: 'vulnerability_alerts',
  flags: ['dependabotInIntegrations'],
});
