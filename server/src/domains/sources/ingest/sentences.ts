import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { agentOf, namesOfAgent } from '#core/agents.ts';
import { idOf } from '#core/ids.ts';
import type { HostCommit, HostPullRequest, HostReview, HostUser } from '../../../providers/host-facts.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { Agents } from '../attribution/queries.ts';
import type { IngestRepository } from './target.ts';

/**
 * The event that tells of a commit. Made from what a backfill and a push both know, so that both make the same; `said` is what
 * notes and traces say of agents, where they were read before it.
 */
export function commitEvent(
  commit: HostCommit,
  {
    person,
    branch,
    target,
    said = { agents: [], models: [], sessions: [], confidences: [] },
  }: { person: string; branch: string; target: IngestRepository; said?: Agents | undefined },
): NewEvent {
  const [title = ''] = commit.message.split('\n', 1);
  const agent = agentOf(commit.author.login, commit.message);
  return {
    id: idOf('commit', target.id, commit.sha),
    kind: 'commit',
    // git log shows the author's date
    asOf: withinTimeline(commit.authoredAt),
    actor: person,
    repositoryId: target.id,
    pullRequest: null,
    source: target.provider,
    summary: {
      phrase: '{0} committed {1} to {2} in {3} {4}',
      parameters: [
        { kind: 'user', display: commit.author.name, ident: commit.author.login ?? commit.author.email },
        shaOf(commit.sha, target),
        { kind: 'branch', display: branch, ident: branch },
        repositoryOf(target),
        { kind: 'text', display: title.slice(0, 300), ident: '' },
      ],
    },
    detail: [
      { label: 'Commit', parameter: shaOf(commit.sha, target, commit.sha) },
      { label: 'Message', parameter: { kind: 'text', display: commit.message.slice(0, 8000), ident: '' } },
      { label: 'Author', parameter: mailbox(commit.author) },
      { label: 'Committer', parameter: mailbox(commit.committer) },
      { label: 'Committed', parameter: { kind: 'text', display: commit.committedAt, ident: commit.committedAt } },
      ...(agent === null ? [] : [{ label: 'Agent', parameter: { kind: 'text', display: agent, ident: '' } as const }]),
    ],
    words: commit.message.slice(0, 2000),
    fields: {
      ...filesOf(commit.changes?.files ?? []),
      ...writtenBy(
        agent === null
          ? said
          : { ...said, agents: [agent, ...said.agents], confidences: ['declared', ...said.confidences] },
      ),
    },
  };
}

/** What the event of a commit is found by once it is known which files it touched. */
export const filesOf = (files: readonly { path: string }[]): NonNullable<NewEvent['fields']> =>
  files.length === 0 ? {} : { file: files.map(({ path }) => path) };

/** What an event is found by that tells of something agents wrote for. */
const writtenBy = ({ agents, models, sessions, confidences }: Agents): NonNullable<NewEvent['fields']> =>
  agents.length === 0
    ? {}
    : {
        agent: [...new Set(agents.flatMap(namesOfAgent))],
        model: models,
        session: sessions,
        ai: [...new Set(confidences)],
      };

// A commit's clock may say anything; the timeline reaches from 1970 to 2100.
const latest = Date.UTC(2100, 11, 31);
const withinTimeline = (time: string) => new Date(Math.min(Math.max(Date.parse(time) || 0, 0), latest)).toISOString();

const verbs = { opened: 'opened', merged: 'merged', closed: 'closed' } as const;

/** The events that tell of a pull request's life, each under an id of its own. */
export function pullRequestEvents(
  pullRequest: HostPullRequest,
  reviews: readonly HostReview[],
  personOf: (user: HostUser) => string,
  target: IngestRepository,
): NewEvent[] {
  const { author, createdAt, mergedAt, mergedBy, closedAt, closedBy, state } = pullRequest;
  const life: [keyof typeof verbs, string | null, HostUser | null][] = [
    ['opened', createdAt, author],
    ['merged', state === 'accepted' ? mergedAt : null, mergedBy],
    ['closed', state === 'closed' ? closedAt : null, closedBy],
  ];
  const told = life.flatMap(([verb, at, by]) =>
    at === null ? [] : [lifeEvent(verb, { at, by, pullRequest, personOf, target })],
  );
  return [
    ...told,
    ...reviews
      .filter((review) => review.state !== 'pending')
      .map((review) => reviewEvent(review, pullRequest, personOf, target)),
  ];
}

function lifeEvent(
  verb: keyof typeof verbs,
  {
    at,
    by,
    pullRequest,
    personOf,
    target,
  }: {
    at: string;
    by: HostUser | null;
    pullRequest: HostPullRequest;
    personOf: (user: HostUser) => string;
    target: IngestRepository;
  },
): NewEvent {
  const where = verb === 'merged' ? ' into {2} in {3} {4}' : ' in {3} {4}';
  return {
    id:
      verb === 'closed'
        ? idOf('pull_request.closed', target.id, pullRequest.number, at)
        : idOf(`pull_request.${verb}`, target.id, pullRequest.number),
    kind: 'pull_request',
    asOf: at,
    actor: by ? personOf(by) : null,
    repositoryId: target.id,
    pullRequest: pullRequest.number,
    source: target.provider,
    summary: {
      // The host does not always say who merged or closed.
      phrase: by ? `{0} ${verbs[verb]} {1}${where}` : `{1} was ${verbs[verb]}${where}`,
      parameters: sentenceOf(by, pullRequest, target),
    },
    detail: [
      { label: 'Pull request', parameter: numberOf(pullRequest, target) },
      { label: 'From', parameter: { kind: 'branch', display: pullRequest.headRef, ident: pullRequest.headRef } },
      { label: 'Into', parameter: { kind: 'branch', display: pullRequest.baseRef, ident: pullRequest.baseRef } },
      { label: 'Author', parameter: userOf(pullRequest.author) },
      ...(verb === 'merged' && pullRequest.mergeSha !== null
        ? [{ label: 'Merge commit', parameter: shaOf(pullRequest.mergeSha, target) }]
        : []),
    ],
    words: `${verb} ${pullRequest.title} ${pullRequest.headRef}`,
    fields: { status: [verb] },
  };
}

const decisions = {
  approved: 'approved',
  changes_requested: 'requested changes on',
  commented: 'reviewed',
  dismissed: 'had a review dismissed on',
} as const;

function reviewEvent(
  review: HostReview,
  pullRequest: HostPullRequest,
  personOf: (user: HostUser) => string,
  target: IngestRepository,
): NewEvent {
  const verb = review.state === 'pending' ? decisions.commented : decisions[review.state];
  return {
    id: idOf('review', target.id, pullRequest.number, review.id),
    kind: 'pull_request',
    asOf: review.submittedAt,
    actor: personOf(review.user),
    repositoryId: target.id,
    pullRequest: pullRequest.number,
    source: target.provider,
    summary: { phrase: `{0} ${verb} {1} in {3} {4}`, parameters: sentenceOf(review.user, pullRequest, target) },
    detail: [
      { label: 'Pull request', parameter: numberOf(pullRequest, target) },
      ...(review.sha === null ? [] : [{ label: 'Reviewed at', parameter: shaOf(review.sha, target) }]),
    ],
    words: `${verb} ${pullRequest.title}`,
    fields: { status: [review.state] },
  };
}

const sentenceOf = (by: HostUser | null, pullRequest: HostPullRequest, target: IngestRepository): Parameter[] => [
  by ? userOf(by) : { kind: 'user', display: 'Unknown person', ident: '' },
  numberOf(pullRequest, target),
  { kind: 'branch', display: pullRequest.baseRef, ident: pullRequest.baseRef },
  repositoryOf(target),
  { kind: 'text', display: pullRequest.title.slice(0, 300), ident: '' },
];
const userOf = (user: HostUser): Parameter => ({ kind: 'user', display: user.login, ident: user.login });
const mailbox = (person: HostCommit['author']): Parameter => ({
  kind: 'user',
  display: `${person.name} <${person.email}>`,
  ident: person.login ?? person.email,
});
const repositoryOf = (target: IngestRepository): Parameter => ({
  kind: 'repository',
  display: target.fullName,
  ident: target.fullName,
  icon: target.provider,
});
const numberOf = (pullRequest: HostPullRequest, target: IngestRepository): Parameter => ({
  kind: 'pr',
  display: `#${pullRequest.number}`,
  ident: String(pullRequest.number),
  data: { repository: target.fullName, url: pullRequest.url },
});
const shaOf = (sha: string, target: IngestRepository, display = sha.slice(0, 7)): Parameter => ({
  kind: 'sha',
  display,
  ident: sha,
  data: { url: `${target.url}/commit/${sha}` },
});
