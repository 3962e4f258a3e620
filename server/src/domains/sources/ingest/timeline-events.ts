import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { agentOfCommit, agentQueryNames } from '#core/agents.ts';
import { factId } from '#core/ids.ts';
import type { HostCommit, HostPullRequest, HostReview, HostUser } from '../../../providers/host-facts.ts';
import type { NewEvent } from '../../timeline/events/new-event.ts';
import type { CommitAgents } from '../attribution/queries.ts';
import type { IngestRepository } from './target.ts';

/**
 * Creates the event of a commit. Uses only fields that an import and a push both have, so that both create the same
 * event. `attributed`: the agents of git notes and traces that were read before.
 */
export function commitEvent(
  commit: HostCommit,
  {
    person,
    branch,
    target,
    attributed = { agents: [], models: [], sessions: [], confidences: [] },
  }: { person: string; branch: string; target: IngestRepository; attributed?: CommitAgents | undefined },
): NewEvent {
  const [title = ''] = commit.message.split('\n', 1);
  const agent = agentOfCommit(commit);
  return {
    id: factId('commit', target.id, commit.sha),
    kind: 'commit',
    // The author date, as in git log.
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
      ...fileFieldsOf(commit.changes?.files ?? []),
      ...agentFieldsOf(
        agent === null
          ? attributed
          : {
              ...attributed,
              agents: [agent, ...attributed.agents],
              confidences: ['declared', ...attributed.confidences],
            },
      ),
    },
  };
}

/** The search fields of a commit event from its changed files. */
export const fileFieldsOf = (files: readonly { path: string }[]): NonNullable<NewEvent['fields']> =>
  files.length === 0 ? {} : { file: files.map(({ path }) => path) };

/** The search fields of an event from the agents attributed to it. */
const agentFieldsOf = ({ agents, models, sessions, confidences }: CommitAgents): NonNullable<NewEvent['fields']> =>
  agents.length === 0
    ? {}
    : {
        agent: [...new Set(agents.flatMap(agentQueryNames))],
        model: models,
        session: sessions,
        ai: [...new Set(confidences)],
      };

// A commit can have any date; the timeline covers 1970 to 2100.
const LATEST_TIME = Date.UTC(2100, 11, 31);
const withinTimeline = (time: string) =>
  new Date(Math.min(Math.max(Date.parse(time) || 0, 0), LATEST_TIME)).toISOString();

const verbs = { opened: 'opened', merged: 'merged', closed: 'closed' } as const;

/** Creates the events of a pull request and its reviews, each with a stable ID. */
export function pullRequestEvents(
  pullRequest: HostPullRequest,
  reviews: readonly HostReview[],
  personOf: (user: HostUser) => string,
  target: IngestRepository,
): NewEvent[] {
  const { author, createdAt, mergedAt, mergedBy, closedAt, closedBy, state } = pullRequest;
  const lifecycle: [keyof typeof verbs, string | null, HostUser | null][] = [
    ['opened', createdAt, author],
    ['merged', state === 'accepted' ? mergedAt : null, mergedBy],
    ['closed', state === 'closed' ? closedAt : null, closedBy],
  ];
  const transitions = lifecycle.flatMap(([verb, at, by]) =>
    at === null ? [] : [transitionEvent(verb, { at, by, pullRequest, personOf, target })],
  );
  return [
    ...transitions,
    ...reviews
      .filter((review) => review.state !== 'pending')
      .map((review) => reviewEvent(review, pullRequest, personOf, target)),
  ];
}

function transitionEvent(
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
        ? factId('pull_request.closed', target.id, pullRequest.number, at)
        : factId(`pull_request.${verb}`, target.id, pullRequest.number),
    kind: 'pull_request',
    asOf: at,
    actor: by ? personOf(by) : null,
    repositoryId: target.id,
    pullRequest: pullRequest.number,
    source: target.provider,
    summary: {
      // The host does not always report who merged or closed.
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
    id: factId('review', target.id, pullRequest.number, review.id),
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
