import { connectedHostCard } from '../connected-host.ts';

export const manifest = connectedHostCard('bitbucket-data-center', 'projects');
