import type { Push } from '../git/model.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import type { ScenarioChange } from './repository-scenario.ts';

/** A simulated change: each step with its time, epoch milliseconds. */
export type SimulatedChange = { change: ScenarioChange; at: number[]; pull: PullRequest | undefined; pushes: Push[] };

/** Returns the SHA of a commit by its number in the scenario. */
export type ShaOf = (mark: number) => string;

export const defaultBranchRef = ({ git }: HostedRepository): string => `refs/heads/${git.defaultBranch}`;
