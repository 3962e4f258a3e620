import { githubAlerts } from '../card.ts';

export const manifest = githubAlerts({
  name: 'code-scanning',
  title: 'GitHub code scanning',
  description: 'Alerts of CodeQL and of every scanner whose results are on GitHub.',
  source: 'code_scanning',
  permission: 'security_events',
});
