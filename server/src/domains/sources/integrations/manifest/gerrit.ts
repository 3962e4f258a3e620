import { connectedHostCard } from '../connected-host.ts';

export const manifest = connectedHostCard('gerrit', 'folders');
