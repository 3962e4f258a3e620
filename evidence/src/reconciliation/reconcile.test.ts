import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/properties.ts';
import type { BundleMerge, BundleRepository } from './bundle-side.ts';
import { decodeTextFile, parseCloneCommits } from './clone-commits.ts';
import { compareCommits, compareMerges } from './compare.ts';
import { type HostMerge, readHostMerges, readMergeTime } from './host-merges.ts';
import { isReconciled, reconciliationLines } from './reconciliation-lines.ts';

const span = { from: '2026-07-01T00:00:00.000Z', until: '2026-10-01T00:00:00.000Z' };
const start = Date.parse(span.from);
const timeOf = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
const shaOf = (number: number) => number.toString(16).padStart(40, '0');

const hostMerge = (number: number, more: Partial<HostMerge> = {}): HostMerge => ({
  number,
  title: `Change ${number}`,
  branch: 'main',
  mergedAt: timeOf(number),
  commits: [shaOf(number)],
  ...more,
});
const bundleMerge = ({ number, branch }: HostMerge): BundleMerge => ({
  number,
  branch,
  mergedAt: timeOf(number),
  mergeSha: shaOf(number),
});
const repository = (merges: readonly BundleMerge[], more: Partial<BundleRepository> = {}): BundleRepository => ({
  id: 'repo_1',
  origins: [{ host: 'code.example', repository: '4711' }],
  merges,
  commits: null,
  unknownPushes: 0,
  ...more,
});
const host = (merges: readonly HostMerge[]) => ({ id: '4711', name: 'code.example', defaultBranch: 'main', merges });
const compare = (inBundle: readonly BundleMerge[], onHost: readonly HostMerge[], times = new Map<number, string>()) =>
  compareMerges(repository(inBundle), host(onHost), {
    ...span,
    mergeTimeOf: async (number) => times.get(number) ?? null,
  });
const numbersOf = (list: readonly { number: number }[]) => list.map(({ number }) => number);

test('names exactly what either side lacks, whatever it is', async () => {
  const merges = Array.from({ length: 60 }, (_, index) => hostMerge(index + 1));
  const some = fc.uniqueArray(fc.integer({ min: 1, max: 60 }));
  await fc.assert(
    fc.asyncProperty(some, some, some, async (lostByBundle, lostByHost, replaced) => {
      const inBundle = merges.filter(({ number }) => !lostByBundle.includes(number)).map(bundleMerge);
      const onHost = merges
        .filter(({ number }) => !lostByHost.includes(number))
        .map((merge) => (replaced.includes(merge.number) ? { ...merge, commits: ['f'.repeat(12)] } : merge));
      const compared = await compare(inBundle, onHost);
      const [bundle, other] = [new Set(numbersOf(inBundle)), new Set(numbersOf(onHost))];
      const all = numbersOf(merges);
      expect(numbersOf(compared.missingInBundle)).toEqual(all.filter((one) => other.has(one) && !bundle.has(one)));
      expect(numbersOf(compared.missingOnHost)).toEqual(all.filter((one) => bundle.has(one) && !other.has(one)));
      const both = all.filter((one) => bundle.has(one) && other.has(one));
      expect(compared.both).toBe(both.length);
      expect(numbersOf(compared.different)).toEqual(both.filter((one) => replaced.includes(one)));
    }),
    { numRuns: propertyRuns(100) },
  );
});

test('compares the period and the branches of the bundle only, and says what it left out', async () => {
  const compared = await compare(
    [bundleMerge(hostMerge(1)), bundleMerge(hostMerge(2, { branch: 'release' }))],
    [
      hostMerge(1),
      hostMerge(2, { branch: 'release' }),
      hostMerge(3, { branch: 'release' }),
      hostMerge(4, { branch: 'topic' }),
      hostMerge(5, { branch: 'topic' }),
      hostMerge(6, { mergedAt: '2026-06-30T23:59:59.999Z' }),
      hostMerge(7, { mergedAt: span.until }),
    ],
  );
  expect(numbersOf(compared.missingInBundle)).toEqual([3]);
  expect(compared.otherBranches).toEqual([{ branch: 'topic', merges: 2 }]);
  const lines = reconciliationLines({ repository: 'acme/widgets', merges: compared, commits: null });
  expect(lines).toContain('  Not compared: 2 merges into topic, a branch that the bundle does not cover.');
});

test('a merge without a time counts at the time of its activity, and as missing without one', async () => {
  const untimed = [1, 2, 3].map((number) => hostMerge(number, { mergedAt: null }));
  const times = new Map([
    [1, timeOf(5)],
    [2, '2026-10-02T00:00:00.000Z'],
  ]);
  const compared = await compare([], untimed, times);
  expect(compared.missingInBundle.map(({ number, mergedAt }) => [number, mergedAt])).toEqual([
    [1, timeOf(5)],
    [3, null],
  ]);
});

test('refuses a bundle about another repository, and states if it names none', async () => {
  const merges = [hostMerge(1)];
  const inBundle = merges.map(bundleMerge);
  const options = { ...span, mergeTimeOf: async () => null };
  for (const origin of [
    { host: 'code.example', repository: '4712' },
    { host: 'other.example', repository: '4711' },
  ]) {
    const other = repository(inBundle, { origins: [{ host: 'code.example', repository: '4711' }, origin] });
    await expect(compareMerges(other, host(merges), options)).rejects.toThrow('come from repository');
  }
  const unnamed = await compareMerges(repository([], { origins: [] }), host([]), options);
  expect(unnamed.isSameRepository).toBe(false);
  expect(reconciliationLines({ repository: 'a', merges: unnamed, commits: null }).join()).toContain('confirms its ID');
});

/** A list of GitHub in which a pull request of the last page is updated after the first page was read. */
test('finds a pull request that is updated while the list is read', async () => {
  const pull = (number: number, updatedAt: string) => ({
    number,
    title: `Change ${number}`,
    base: { ref: 'main' },
    merged_at: timeOf(number),
    merge_commit_sha: shaOf(number),
    updated_at: updatedAt,
  });
  const pulls = Array.from({ length: 250 }, (_, index) => pull(index + 1, timeOf(index + 1)));
  const reads: string[] = [];
  const found = await readHostMerges('github', 'acme/widgets', {
    since: span.from,
    read: async (path) => {
      reads.push(path);
      if (!path.includes('/pulls')) return { id: 4711, default_branch: 'main' };
      const page = Number(new URL(path, 'https://code.example').searchParams.get('page'));
      const sorted = pulls.toSorted((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
      // The comment on the oldest one moves it from the last page to the first.
      if (page === 1 && pulls[0]) pulls[0] = pull(1, timeOf(900));
      return sorted.slice((page - 1) * 100, page * 100);
    },
  });
  expect(found.id).toBe('4711');
  expect(numbersOf(found.merges).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 250 }, (_, index) => index + 1),
  );
  expect(reads[0]).toBe('/repos/acme/widgets');
});

test('reads no further than the beginning of the period', async () => {
  const pages: string[] = [];
  const { merges } = await readHostMerges('gitlab', 'acme/sub/widgets', {
    since: span.from,
    read: async (path) => {
      pages.push(path);
      if (!path.includes('merge_requests')) return { id: 1, default_branch: 'main' };
      return [
        {
          iid: 1,
          title: 'Old',
          target_branch: 'main',
          merged_at: '2026-01-01T00:00:00Z',
          merge_commit_sha: null,
          squash_commit_sha: null,
          sha: shaOf(1),
          updated_at: '2026-01-01T00:00:00Z',
        },
      ];
    },
  });
  expect(merges).toEqual([]);
  expect(pages[0]).toBe('/projects/acme%2Fsub%2Fwidgets');
  expect(pages.filter((path) => path.includes('page=2'))).toEqual([]);
});

test.each([[null], [[]], ['text'], [{ values: 'text' }], [{ message: 'moved' }]])(
  'refuses %j in the place of a list',
  async (json) => {
    for (const kind of ['github', 'gitlab', 'bitbucket'] as const) {
      await expect(readHostMerges(kind, 'a/b', { read: async () => json, since: span.from })).rejects.toThrow(
        'unknown format',
      );
    }
  },
);

test('reads when Bitbucket merged a pull request from its activity', async () => {
  const values = [{ comment: {} }, { update: { state: 'MERGED', date: '2026-07-02T10:00:00+02:00' } }];
  const time = (found: unknown[]) =>
    readMergeTime('bitbucket', 'a/b', { read: async () => ({ values: found }), number: 1 });
  expect(await time(values)).toBe('2026-07-02T08:00:00.000Z');
  expect(await time([])).toBeNull();
});

test('reads the commits of a clone, and compares its first parents', () => {
  const line = (number: number, parents: number[], hours: number) =>
    `${shaOf(number)}\t${parents.map(shaOf).join(' ')}\t${start / 1000 + hours * 3600}\tChange\t${number}`;
  const log = [line(4, [2, 3], 4), line(3, [1], 3), line(2, [1], 2), line(1, [], -5)];
  const clone = parseCloneCommits(`${log.join('\r\n')}\r\n`);
  expect(clone.firstParents.map(({ sha }) => sha)).toEqual([4, 2, 1].map(shaOf));
  const commits = [shaOf(2), shaOf(3), 'f'.repeat(40)];
  const compared = compareCommits(repository([], { commits, unknownPushes: 2 }), clone, span);
  expect(compared).toMatchObject({ both: 2, missingInClone: ['f'.repeat(40)], unknownPushes: 2 });
  expect(compared.missingInBundle).toEqual([{ sha: shaOf(4), at: timeOf(4), title: 'Change\t4' }]);
  expect(isReconciled({ repository: 'a', merges: null, commits: compared })).toBe(false);
  expect(() => compareCommits(repository([]), clone, span)).toThrow('CHG-02');
  for (const text of ['', 'commit abc', `${shaOf(1)} ${shaOf(2)}`]) expect(() => parseCloneCommits(text)).toThrow();
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...'ab'].flatMap((letter) => [letter.charCodeAt(0), 0])]);
  expect(decodeTextFile(utf16)).toBe('ab');
});
