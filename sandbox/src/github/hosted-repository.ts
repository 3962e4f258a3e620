import type { Repository } from '../git/model.ts';

export type HostedRepository = { id: number; owner: Account; name: string; formerNames: string[]; git: Repository };

export type Account = { id: number; login: string; type: 'Organization' | 'User' };
