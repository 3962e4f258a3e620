import { githubAlertCard } from '../card.ts';

export const manifest = githubAlertCard({
  name: 'secret-scanning',
  title: 'GitHub secret scanning',
  description: 'Locations of secrets in code. The secrets themselves are never imported.',
  source: 'secret_scanning',
  permission: 'secret_scanning_alerts',
});
