import { githubAlertCard } from '../card.ts';

export const manifest = githubAlertCard({
  name: 'code-scanning',
  title: 'GitHub code scanning',
  description: 'Alerts of CodeQL and other scanners with results on GitHub.',
  source: 'code_scanning',
  permission: 'security_events',
});
