import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import { textOf } from '@sightline/evidence/ledger/bytes.ts';
import { Invalid, Refusal } from '#core/errors.ts';
import { parseJsonLines } from '#core/json.ts';
import { command } from './command.ts';
import { bytesOf } from './input-file.ts';
import { keysOf, printable } from './verify.ts';

interface CloneCommit {
  sha: string;
  /** ISO 8601. */
  at: string;
  title: string;
}

interface Reconciliation {
  repository: string;
  /** Commits that the bundle and the clone have. */
  both: number;
  missingInBundle: CloneCommit[];
  missingInClone: string[];
  /** Pushes whose commits the bundle states as missing evidence. */
  unknownPushes: number;
}

export const reconcileCommand = command({
  name: 'reconcile',
  description:
    'Compares an evidence bundle with your own clone of a repository, without a server, and lists the commits that one of them lacks.',
  valueName: ['BUNDLE'],
  options: {
    key: { valueName: 'VKEY', required: true, description: 'The public key of the ledger, or a file with it.' },
    clone: {
      valueName: 'NAME=FOLDER',
      required: true,
      description:
        'The name or ID of a repository in the bundle, and your clone of it with its default branch. Several: separated by commas.',
    },
    'disclosure-key': {
      valueName: 'FILE',
      description: 'A file of the organization that opens the names that the bundle redacts.',
    },
  },
  run: async ({ words: [path = ''], options }) => {
    const bundle = await bytesOf('BUNDLE', path);
    const disclosureKey =
      options['disclosure-key'] === undefined
        ? undefined
        : await bytesOf('--disclosure-key', options['disclosure-key']);
    const {
      valid,
      sentence,
      bundle: about,
    } = await verifyBundle(bundle, {
      keys: await keysOf('--key', options.key),
      disclosureKey,
    });
    if (!valid || !about) throw new Refusal('validation_failed', printable(sentence));
    const archive = openZip(bundle);
    const rowsPath = 'evidence/CHG-02.jsonl';
    if (!archive.paths.includes(rowsPath)) throw Invalid('BUNDLE', 'does not contain CHG-02, which lists all commits');
    const rows = parseJsonLines<EvaluatedRow>(textOf(archive.file(rowsPath)));
    const results: Reconciliation[] = [];
    for (const { name, folder } of clonesOf(options.clone)) {
      const id = about.names.repositories.find(([, full]) => full === name)?.[0] ?? name;
      const ofRepository = rows.filter(({ row }) => row.repository === id).map(({ row }) => row.subject);
      results.push(await reconcile(name, ofRepository, folder, about.period));
    }
    const failed = results.some((one) => one.missingInBundle.length + one.missingInClone.length > 0);
    return {
      json: { reconciliation: { period: about.period, repositories: results } },
      lines: results.flatMap(linesOf),
      failed,
    };
  },
});

const clonesOf = (text: string) =>
  text.split(',').map((one) => {
    const [name = '', folder = ''] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
    if (!one.includes('=') || name === '' || folder === '') throw Invalid('--clone', 'must be NAME=FOLDER');
    return { name, folder };
  });

/**
 * Compares the commits that reached the default branch in the period. In the clone these are its first parents with a
 * committer date in the period: code hosts set that date when they merge.
 */
async function reconcile(
  repository: string,
  subjects: readonly string[],
  folder: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Reconciliation> {
  const inBundle = new Set(subjects.flatMap((subject) => /^commit:[^:]*:([0-9a-f]{40,64})$/.exec(subject)?.[1] ?? []));
  const inClone = new Set((await revList(folder, ['HEAD'])).filter((line) => line !== ''));
  const firstParents = await revList(folder, [
    '--first-parent',
    '--no-commit-header',
    '--format=%H%x09%ct%x09%s',
    'HEAD',
  ]);
  const inPeriod = firstParents.flatMap((line) => {
    const [sha = '', seconds = '', ...title] = line.split('\t');
    const at = new Date(Number(seconds) * 1000);
    const isInside = sha !== '' && at >= new Date(from) && at < new Date(to);
    return isInside ? [{ sha, at: at.toISOString(), title: title.join('\t') }] : [];
  });
  return {
    repository,
    both: [...inBundle].filter((sha) => inClone.has(sha)).length,
    missingInBundle: inPeriod.filter(({ sha }) => !inBundle.has(sha)),
    missingInClone: [...inBundle].filter((sha) => !inClone.has(sha)).toSorted(),
    unknownPushes: subjects.filter((subject) => subject.startsWith('push:')).length,
  };
}

const MAX_OUTPUT_BYTES = 1_000_000_000;

/** Lists commits of a clone. No configuration of the clone starts a program. */
async function revList(folder: string, args: readonly string[]): Promise<string[]> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const { stdout } = await promisify(execFile)('git', [...safe, '-C', folder, 'rev-list', ...args], {
    maxBuffer: MAX_OUTPUT_BYTES,
  }).catch(() => {
    throw Invalid('--clone', `${folder} is not a clone that git can read`);
  });
  return stdout.split('\n');
}

const linesOf = ({ repository, both, missingInBundle, missingInClone, unknownPushes }: Reconciliation): string[] => [
  `${printable(repository)}: ${both} commits are in both.`,
  ...missingInBundle.map(({ sha, at, title }) => `  not in the bundle: ${sha} ${at} ${printable(title)}`),
  ...missingInClone.map((sha) => `  not in the clone:  ${sha}`),
  ...(unknownPushes > 0
    ? [`  The bundle states ${unknownPushes} pushes with unknown commits, which may contain missing ones.`]
    : []),
  ...(missingInBundle.length + missingInClone.length === 0 ? ['  Nothing is missing on either side.'] : []),
];
