import type { HostRef } from '../host-facts.ts';

export const repositoryPath = ({ owner, name }: HostRef): string =>
  `/api/latest/projects/${encodeURIComponent(owner)}/repos/${encodeURIComponent(name)}`;

/** The path of a resource of a repository in another part of the API, such as `/keys/latest`. */
export const partPath = (part: string, { owner, name }: HostRef): string =>
  `/${part}/latest/projects/${encodeURIComponent(owner)}/repos/${encodeURIComponent(name)}`;

export const commitPath = (ref: HostRef, sha: string): string =>
  `${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}`;

export const pullRequestPath = (ref: HostRef, number: number): string =>
  `${repositoryPath(ref)}/pull-requests/${number}`;
