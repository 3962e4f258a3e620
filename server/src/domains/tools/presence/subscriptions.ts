import { on } from '#core/topics.ts';
import { grantsEnded } from '../../identity/extensions/topics.ts';
import { endPresence } from './commands.ts';

export const presenceSubscriptions = [on(grantsEnded, 'tools.end-presence', endPresence)];
