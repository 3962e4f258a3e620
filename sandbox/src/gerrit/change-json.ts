import { changesOf, unlessMissing } from '../git/repository.ts';
import { fullName } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import type { GerritChange, PatchSet } from './changes.ts';
import type { Gerrit } from './instance.ts';
import { labelOf, messagesOf, standingVotes } from './messages.ts';
import { checkerJson, commitJson, personJson, timeText } from './responses.ts';

/** `ChangeInfo`, with the parts that the options ask for. */
export const changeJson = async (
  gerrit: Gerrit,
  repository: HostedRepository,
  change: GerritChange,
  options: ReadonlySet<string>,
) => {
  const { git } = repository;
  const { pull, number, status, patchSets } = change;
  const last = patchSets.at(-1);
  const commit = git.commits.get(last?.sha ?? '');
  const files = (await unlessMissing(changesOf(git, last?.sha ?? ''))) ?? [];
  const sum = (field: 'additions' | 'deletions') => files.reduce((all, file) => all + file[field], 0);
  const [subject = pull.title] = change.isHead ? [pull.title] : (commit?.message.split('\n') ?? []);
  const name = fullName(repository);
  return {
    id: `${encodeURIComponent(name)}~${number}`,
    project: name,
    branch: git.defaultBranch,
    hashtags: change.isHead ? pull.labels : [],
    change_id: `I${patchSets[0]?.sha ?? ''}`,
    subject,
    status,
    created: timeText(Math.min(pull.createdAt, patchSets[0]?.at ?? pull.createdAt)),
    updated: timeText(pull.updatedAt),
    ...(status === 'MERGED' && {
      submitted: timeText(pull.mergedAt ?? 0),
      submitter: personJson(gerrit, pull.mergedBy),
    }),
    submit_type: change.picked === undefined ? 'MERGE_ALWAYS' : 'CHERRY_PICK',
    insertions: sum('additions'),
    deletions: sum('deletions'),
    total_comment_count: 0,
    unresolved_comment_count: 0,
    has_review_started: true,
    meta_rev_id: last?.sha,
    _number: number,
    owner: personJson(gerrit, pull.author) ?? {},
    requirements: [],
    ...(options.has('DETAILED_LABELS') && { labels: labelsJson(gerrit, repository, change) }),
    ...(options.has('MESSAGES') && { messages: messagesOf(gerrit, repository, change) }),
    current_revision: last?.sha,
    ...(options.has('ALL_REVISIONS') && {
      revisions: Object.fromEntries(
        patchSets.map((one) => [
          one.sha,
          revisionJson(gerrit, repository, { change, one, hasCommit: options.has('ALL_COMMITS') }),
        ]),
      ),
    }),
  };
};

const revisionJson = (
  gerrit: Gerrit,
  { git }: HostedRepository,
  { change: { number }, one, hasCommit }: { change: GerritChange; one: PatchSet; hasCommit: boolean },
) => {
  const commit = git.commits.get(one.sha);
  const ref = `refs/changes/${String(number % 100).padStart(2, '0')}/${number}/${one.number}`;
  return {
    kind: one.kind,
    _number: one.number,
    created: timeText(one.at),
    uploader: personJson(gerrit, one.by) ?? {},
    ref,
    fetch: {},
    branch: `refs/heads/${git.defaultBranch}`,
    ...(hasCommit && commit !== undefined && { commit: { ...commitJson(commit), commit: undefined } }),
  };
};

/** The votes on the last patch set. */
const labelsJson = (gerrit: Gerrit, repository: HostedRepository, change: GerritChange) => {
  const votes = standingVotes(gerrit, repository, change).map(({ account, value, at }) => ({
    ...account,
    value,
    date: timeText(at),
    permitted_voting_range: { min: -2, max: 2 },
  }));
  const reviews = {
    all: votes,
    values: {
      '-2': 'This shall not be submitted',
      '-1': '',
      ' 0': 'No score',
      '+1': '',
      '+2': 'Looks good to me, approved',
    },
    description: '',
    default_value: 0,
  };
  const tips = new Set(change.patchSets.map(({ sha }) => sha));
  const checks = repository.git.planted.checks.filter(({ sha }) => tips.has(sha));
  const others = [...new Set(checks.map(({ name }) => labelOf(name)))].map((label) => [
    label,
    {
      all: [{ ...checkerJson(), value: 0 }],
      values: { '-1': 'Fails', ' 0': 'No score', '+1': 'Verified' },
      default_value: 0,
    },
  ]);
  return { 'Code-Review': reviews, ...Object.fromEntries(others) };
};
