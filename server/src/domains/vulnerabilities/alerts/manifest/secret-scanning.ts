import { githubAlerts } from '../card.ts';

export const manifest = githubAlerts({
  name: 'secret-scanning',
  title: 'GitHub secret scanning',
  description: 'Where secrets were found in code. The secrets themselves are never read.',
  source: 'secret_scanning',
  permission: 'secret_scanning_alerts',
});
