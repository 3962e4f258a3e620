import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { git } from '../git/command.ts';
import { install } from '../github/installations.ts';
import { startReceiver, startWith } from '../testing/sandbox.ts';
import { answersOf, hostedAt } from './answer-key.ts';
import { createStory } from './create-story.ts';
import { happen } from './happen.ts';
import { plots } from './plots.ts';
import { tellStory } from './tell.ts';
import { githubVoice } from './voice-github.ts';
import { writeStory } from './write-story.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const planted = async (seed: number, size: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'planted-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'widgets');
  const story = createStory(seed, size);
  const shas = await writeStory(path, 'acme', story, Date.now() - 200 * 86_400_000);
  const receiver = await startReceiver();
  ends.push(receiver.close);
  const world = await startWith([path], { deliverTo: receiver.url, pollMs: 3_600_000 });
  ends.push(world.sandbox.close);
  const { host } = world.sandbox;
  const [repository, by] = [hostedAt(host, path), [...host.users.byLogin.values()][0]];
  if (by === undefined) throw new Error('Nobody has committed.');
  const installation = install(host, repository.owner, 'all', by);
  return { path, story, shas, receiver, world, host, repository, installation };
};

describe('a story', () => {
  test('is the same for the same seed and differs for another', () => {
    const [one, again, other] = [createStory(7, 60), createStory(7, 60), createStory(8, 60)];
    expect(again).toEqual(one);
    expect(other.changes.map(({ plot }) => plot)).not.toEqual(one.changes.map(({ plot }) => plot));
    for (const { changes } of [one, other]) {
      expect(new Set(changes.map(({ plot }) => plot))).toEqual(new Set([...Object.keys(plots), 'direct', 'forced']));
      expect(changes.some(({ lost }) => lost.length > 0)).toBe(true);
    }
  });

  test('is consistent between git, API and webhooks', async () => {
    const { path, story, shas, receiver, world, host, repository, installation } = await planted(11, 30);
    const happened = await happen(host, repository, shas, story.changes, Date.now());
    await tellStory(githubVoice(host, repository), repository, happened);

    const last = story.changes.at(-1);
    const tip = shas.get((last?.kind === 'merge' ? last.landed : last?.commits)?.at(-1) ?? 0);
    expect((await git(path, ['rev-parse', 'main'])).toString().trim()).toBe(tip);
    const client = await world.app.getInstallationOctokit(installation.id);
    const at = { owner: 'acme', repo: 'widgets' };
    const merges = story.changes.filter((change) => change.kind === 'merge');
    for (const { number, commits, landed, mergedBy } of merges) {
      const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...{ ...at, pull_number: number },
      });
      expect(data).toMatchObject({ number, merged: true, merge_commit_sha: shas.get(landed.at(-1) ?? 0) });
      expect(data.merged_by?.login.startsWith(mergedBy.name.split(/[ [-]/)[0]?.toLowerCase() ?? '?')).toBe(true);
      const own = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', {
        ...{ ...at, pull_number: number },
      });
      expect(own.data.map(({ sha }) => sha)).toEqual(commits.map((mark) => shas.get(mark)));
      for (const mark of landed) {
        const from = await client.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
          ...{ ...at, commit_sha: shas.get(mark) ?? '' },
        });
        expect(from.data.map((pull) => pull.number)).toEqual([number]);
      }
    }
    const { data: moves } = await client.request('GET /repos/{owner}/{repo}/activity', {
      ...{ ...at, ref: 'refs/heads/main', per_page: 100, time_period: 'day' },
    });
    expect(moves.length).toBe(story.changes.length);
    expect(moves.slice(0, -1).every(({ before }, index) => before === moves[index + 1]?.after)).toBe(true);

    const closed = receiver.received
      .filter(({ payload }) => payload.action === 'closed')
      .map(({ payload }) => payload.number);
    expect(closed).toEqual(merges.filter(({ lost }) => !lost.includes('closed')).map(({ number }) => number));
    const pushed = receiver.received.filter(
      ({ event, payload }) => event === 'push' && payload.ref === 'refs/heads/main',
    );
    expect(pushed.length).toBe(story.changes.filter(({ lost }) => !lost.includes('push')).length);
    expect(pushed.filter(({ payload }) => payload.forced).length).toBe(
      story.changes.filter((change) => change.kind === 'direct' && change.isForced && change.lost.length === 0).length,
    );
  });

  test('has one answer to each question, and names a review as the host does', async () => {
    const { story, shas, host, repository, world, installation } = await planted(12, 20);
    await happen(host, repository, shas, story.changes, Date.now());
    const answers = answersOf(repository, story, shas);
    expect(new Set(answers.map(({ control, subject }) => `${control} ${subject}`)).size).toBe(answers.length);
    const client = await world.app.getInstallationOctokit(installation.id);
    const about = answers.find(({ reasons }) => reasons.some((reason) => reason.startsWith('approval_dismissed:')));
    const { data } = await client.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
      ...{ owner: 'acme', repo: 'widgets', pull_number: Number(about?.subject.split('#')[1]) },
    });
    expect(data.map(({ id, state }) => `${state} approval_dismissed:${id}`)).toEqual([
      `DISMISSED ${about?.reasons.find((reason) => reason.startsWith('approval_dismissed:'))}`,
    ]);
  });
});
