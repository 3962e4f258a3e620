import type { FastifyRequest } from 'fastify';
import type { PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { DataCenter } from './instance.ts';
import { notFound } from './refusal.ts';

/** Returns the pull request in the path if the caller can see it. Throws 404 otherwise. */
export const findPull = (
  dataCenter: DataCenter,
  request: FastifyRequest,
): { repository: HostedRepository; pull: PullRequest } => {
  const repository = findRepository(dataCenter, request);
  const { number } = request.params as { number: string };
  const pull = repository.git.pullRequests.find((one) => String(one.number) === number);
  if (pull === undefined) throw notFound(`Pull request ${number} does not exist.`);
  return { repository, pull };
};
