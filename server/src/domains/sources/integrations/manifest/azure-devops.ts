import { connectedHostCard } from '../connected-host.ts';

export const manifest = connectedHostCard('azure-devops', 'projects');
