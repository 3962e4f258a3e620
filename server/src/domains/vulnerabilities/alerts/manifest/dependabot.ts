import { githubAlertCard } from '../card.ts';

export const manifest = githubAlertCard({
  name: 'dependabot',
  title: 'Dependabot alerts',
  description: 'Vulnerable dependencies of your code.',
  source: 'dependabot',
  permission: 'vulnerability_alerts',
  flags: ['dependabotInIntegrations'],
});
