import { connectedHost } from '../connected-host.ts';

export const manifest = connectedHost('gitlab', 'groups');
