import { githubAlerts } from '../card.ts';

export const manifest = githubAlerts({
  name: 'code-scanning',
  title: 'GitHub code scanning',
  description: 'Alerts of CodeQL and other scanners with results on GitHub.',
  source: 'code_scanning',
  permission: 'security_events',
});
