import { on } from '#core/topics.ts';
import { personsUnited } from '../../identity/authentication/topics.ts';
import { moveCommits } from './commands.ts';

export const contributorSubscriptions = [on(personsUnited, 'sources.move-commits', moveCommits)];
