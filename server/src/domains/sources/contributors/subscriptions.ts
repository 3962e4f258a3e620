import { subscribeTo } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { reassignCommits } from './commands.ts';

export const contributorSubscriptions = [subscribeTo(personsUnited, 'sources.move-commits', reassignCommits)];
