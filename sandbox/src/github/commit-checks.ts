import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommitCheck } from '../git/model.ts';
import { stableId } from '../git/users.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { accountJson, nodeId, timeText } from './responses/account.ts';
import { appJson } from './responses/installation.ts';
import { summaryJson } from './responses/repository.ts';

interface CommitRequest {
  repository: HostedRepository;
  sha: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The check runs of a commit, newest first; only the last of each name unless `filter` is all. */
export const checkRunsOf = (host: Host, { repository, sha, request, reply }: CommitRequest) => {
  const { filter = 'latest', check_name: name, status } = request.query as Record<string, string | undefined>;
  const seen = new Set<string>();
  const runs = checksOn(repository, sha, false)
    .filter((check) => filter === 'all' || !(seen.has(check.name) || !seen.add(check.name)))
    .filter((check) => name === undefined || check.name === name)
    .filter((check) => status === undefined || statusOf(check) === status);
  const page = paginate(request, reply, runs);
  return { total_count: runs.length, check_runs: page.map((check) => checkRunJson(host, repository, check)) };
};

/** The statuses of a commit, newest first. */
export const statusesOf = (host: Host, { repository, sha, request, reply }: CommitRequest) =>
  paginate(request, reply, checksOn(repository, sha, true)).map((check) => ({
    ...statusJson(host, repository, check),
    creator: checkerJson(host),
  }));

/** The last status of each context, and the combined state. */
export const combinedStatusOf = (host: Host, { repository, sha, request, reply }: CommitRequest) => {
  const last = [
    ...new Map(
      checksOn(repository, sha, true)
        .reverse()
        .map((check) => [check.name, check]),
    ).values(),
  ];
  const states = last.map(stateOf);
  const state = states.some((one) => one === 'failure' || one === 'error')
    ? 'failure'
    : states.length === 0 || states.includes('pending')
      ? 'pending'
      : 'success';
  const self = `${host.api}/repos/${fullName(repository)}/commits/${sha}`;
  return {
    state,
    sha,
    total_count: last.length,
    repository: summaryJson(repository),
    statuses: paginate(request, reply, last).map((check) => statusJson(host, repository, check)),
    commit_url: self,
    url: `${self}/status`,
  };
};

export const checkRunJson = (host: Host, repository: HostedRepository, check: CommitCheck) => {
  const id = idOf(repository, check);
  const url = `${host.api}/repos/${fullName(repository)}/check-runs/${id}`;
  return {
    id,
    name: check.name,
    node_id: nodeId('CheckRun', id),
    head_sha: check.sha,
    external_id: '',
    url,
    html_url: `${host.url}/${fullName(repository)}/runs/${id}`,
    details_url: `${host.url}/${fullName(repository)}/runs/${id}`,
    status: statusOf(check),
    conclusion: check.completedAt === null ? null : check.conclusion,
    started_at: timeText(check.startedAt),
    completed_at: check.completedAt === null ? null : timeText(check.completedAt),
    output: { title: null, summary: null, text: null, annotations_count: 0, annotations_url: `${url}/annotations` },
    check_suite: { id: stableId(`suite:${repository.id}:${check.sha}`), head_sha: check.sha },
    app: { ...appJson(host), ...(check.app !== undefined && { id: check.app }) },
    pull_requests: [],
  };
};

/** A status as in its webhook and in lists. */
export const statusJson = (host: Host, repository: HostedRepository, check: CommitCheck) => {
  const id = idOf(repository, check);
  const at = timeText(check.completedAt ?? check.startedAt);
  return {
    id,
    node_id: nodeId('StatusContext', id),
    state: stateOf(check),
    context: check.name,
    description: null,
    url: `${host.api}/repos/${fullName(repository)}/statuses/${check.sha}`,
    avatar_url: null,
    target_url: null,
    created_at: at,
    updated_at: at,
  };
};

const checksOn = ({ git }: HostedRepository, sha: string, isStatus: boolean): CommitCheck[] =>
  git.planted.checks
    .filter((check) => check.sha === sha && check.isStatus === isStatus)
    .sort((one, other) => (other.completedAt ?? other.startedAt) - (one.completedAt ?? one.startedAt));

const statusOf = ({ completedAt }: CommitCheck): string => (completedAt === null ? 'in_progress' : 'completed');

// A commit status has only these states; every unsuccessful conclusion is a failure.
const stateOf = ({ completedAt, conclusion }: CommitCheck): 'pending' | 'success' | 'failure' | 'error' => {
  if (completedAt === null) return 'pending';
  if (conclusion === 'success') return 'success';
  return conclusion === 'failure' ? 'failure' : 'error';
};

const idOf = ({ id }: HostedRepository, { sha, name, startedAt }: CommitCheck): number =>
  stableId(`check:${id}:${sha}:${name}:${startedAt}`);

const checkerJson = (host: Host) =>
  accountJson(host, {
    id: 41_898_282,
    login: 'github-actions[bot]',
    name: 'github-actions[bot]',
    type: 'Bot',
    emails: [],
  });
