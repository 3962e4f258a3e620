import { subscribeTo } from '#core/topics.ts';
import { grantsEnded } from '../../identity/extensions/topics.ts';
import { endSessionsOfGrants } from './commands.ts';

export const presenceSubscriptions = [subscribeTo(grantsEnded, 'tools.end-presence', endSessionsOfGrants)];
