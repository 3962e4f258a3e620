import type { Repository } from '../git/model.ts';

export type HostedRepository = {
  id: number;
  owner: GithubAccount;
  name: string;
  formerNames: string[];
  git: Repository;
};

export type GithubAccount = { id: number; login: string; type: 'Organization' | 'User' };
