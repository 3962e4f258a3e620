import { execFile } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { type BundleSide, bundleSideOf } from '@sightline/evidence/reconciliation/bundle-side.ts';
import {
  type CloneCommits,
  cloneLogFormat,
  parseCloneCommits,
} from '@sightline/evidence/reconciliation/clone-commits.ts';
import { apiAddressOf, hostKindOf, hostUrlProblem } from '@sightline/evidence/reconciliation/host-address.ts';
import { type ReconciledHost, reconciledHosts } from '@sightline/evidence/reconciliation/host-merges.ts';
import {
  type ReconciledRepository,
  type ReconciliationHost,
  reconcileRepository,
  repositoriesLeft,
  repositoryNamed,
  requestedRepositories,
} from '@sightline/evidence/reconciliation/reconcile.ts';
import {
  isReconciled,
  type RepositoryReconciliation,
  reconciliationLines,
} from '@sightline/evidence/reconciliation/reconciliation-lines.ts';
import { parseDestination } from '#core/destination.ts';
import { Invalid, Refusal, UpstreamFailed } from '#core/errors.ts';
import { HostFailed, HostLimited, HostRefused } from '#providers/code-host.ts';
import { createHostReader } from '#providers/host-reader.ts';
import { readAuditorToken, readProxies } from '../config.ts';
import { command } from './command.ts';
import { bytesOf } from './input-file.ts';
import { keysOf, printable } from './verify.ts';

export const reconcileCommand = command({
  name: 'reconcile',
  description:
    'Compares an evidence bundle with a code host and clones that you read with your own access, without a server, and lists what one side lacks.',
  valueName: ['BUNDLE'],
  options: {
    key: { valueName: 'VKEY', required: true, description: 'The public key of the ledger, or a file with it.' },
    host: {
      valueName: 'URL',
      description:
        'The address of the code host, such as https://github.com. Your own read-only token is in SIGHTLINE_AUDITOR_TOKEN, or read with --token-stdin.',
    },
    provider: {
      valueName: 'KIND',
      description: 'github, gitlab or bitbucket, if the address does not tell it.',
    },
    'token-stdin': { description: 'Read the token from standard input.' },
    email: { valueName: 'EMAIL', description: 'The account of the token, for an API token of Bitbucket.' },
    repositories: {
      valueName: 'NAMES',
      description:
        'Names or IDs of repositories, or ID=PATH, separated by commas. Default: all with changes from the code host.',
    },
    clone: {
      valueName: 'NAME=FOLDER',
      description:
        'The name or ID of a repository in the bundle, and your clone of it with its default branch. Several: separated by commas.',
    },
    'disclosure-key': {
      valueName: 'FILE',
      description: 'A file of the organization that opens the names that the bundle redacts.',
    },
  },
  run: async ({ words: [path = ''], options, json }) => {
    if (options.host === undefined && options.clone === undefined)
      throw Invalid('--host', 'or --clone is missing: it is what the bundle is compared with');
    const bundle = await bytesOf('BUNDLE', path);
    const {
      valid,
      sentence,
      bundle: about,
    } = await verifyBundle(bundle, {
      keys: await keysOf('--key', options.key),
      disclosureKey:
        options['disclosure-key'] === undefined
          ? undefined
          : await bytesOf('--disclosure-key', options['disclosure-key']),
    });
    if (!valid || !about) throw new Refusal('validation_failed', printable(sentence));
    const side = bundleSideOf(bundle);
    const names = about.names.repositories;
    const host = await hostOf({ ...options, isStdin: options['token-stdin'] }, json);
    const clones = await Promise.all(
      clonesOf(options.clone ?? '').map(async ({ name, folder }) => ({
        ...repositoryNamed(name, names),
        clone: await commitsOf(folder),
      })),
    );
    const onHost = host
      ? await attempt('--repositories', () =>
          requestedRepositories(options.repositories ?? '', { side, names, host: host.name }),
        )
      : [];
    const repositories = [...onHost, ...clones.filter(({ id }) => onHost.every((one) => one.id !== id))];
    const results: RepositoryReconciliation[] = [];
    for (const repository of repositories) {
      const clone = clones.find(({ id }) => id === repository.id)?.clone;
      const isOnHost = onHost.some(({ id }) => id === repository.id);
      results.push(await compared(side, repository, { host: isOnHost ? host : undefined, clone }));
    }
    const left = repositoriesLeft(side, repositories, names);
    return {
      json: {
        reconciliation: { period: { from: side.from, to: side.until }, repositories: results, notCompared: left },
      },
      lines: [
        ...results.flatMap(reconciliationLines),
        ...(left.length > 0 ? [`Not compared: ${left.join(', ')}.`] : []),
      ].map(printable),
      failed: !results.every(isReconciled),
    };
  },
});

interface HostOptions {
  readonly host: string | undefined;
  readonly provider: string | undefined;
  readonly email: string | undefined;
  readonly isStdin: boolean;
}

async function hostOf({ host, provider, email, isStdin }: HostOptions, json: boolean) {
  if (host === undefined) return undefined;
  const parsed = parseDestination(host);
  const problem = 'problem' in parsed ? parsed.problem : hostUrlProblem(parsed.url);
  if (problem !== undefined || 'problem' in parsed) throw Invalid('--host', problem ?? 'is invalid');
  const { url } = parsed;
  const kind = provider ?? hostKindOf(url);
  if (!isHostKind(kind)) throw Invalid('--provider', `must be one of ${reconciledHosts.join(', ')}`);
  const token = (isStdin ? await text(process.stdin) : (readAuditorToken() ?? '')).trim();
  if (token === '') throw Invalid('The token', 'is missing: set SIGHTLINE_AUDITOR_TOKEN, or use --token-stdin');
  const apiUrl = apiAddressOf(kind, url);
  return {
    kind,
    name: url.host,
    read: createHostReader({ provider: kind, url, apiUrl, token, email, proxies: readProxies() }),
    onPage: (repository: string, merges: number) =>
      void (json || process.stderr.write(`${printable(repository)}: ${merges} merges read …\n`)),
  } satisfies ReconciliationHost;
}

const isHostKind = (kind: string | undefined): kind is ReconciledHost =>
  (reconciledHosts as readonly (string | undefined)[]).includes(kind);

/** Compares a repository. Throws a refusal that names it. */
const compared = (
  side: BundleSide,
  repository: ReconciledRepository,
  sources: Parameters<typeof reconcileRepository>[2],
): Promise<RepositoryReconciliation> =>
  attempt(printable(repository.path), () => reconcileRepository(side, repository, sources));

/** Runs something whose errors have a text for the user. `what`: the subject of that text. */
async function attempt<Result>(what: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const message = `${what}: ${printable(error instanceof Error ? error.message : String(error))}`;
    if (error instanceof HostLimited || error instanceof HostFailed) throw UpstreamFailed(message);
    if (error instanceof HostRefused && error.status === 401)
      throw new Refusal('validation_failed', `${what}: the code host rejected the token`);
    if (error instanceof HostRefused && error.status === 404)
      throw new Refusal('validation_failed', `${what}: does not exist at the code host, or the token cannot read it`);
    throw new Refusal('validation_failed', message);
  }
}

const clonesOf = (given: string) =>
  given.split(',').flatMap((one) => {
    if (given === '') return [];
    const [name = '', folder = ''] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
    if (!one.includes('=') || name === '' || folder === '') throw Invalid('--clone', 'must be NAME=FOLDER');
    return { name, folder };
  });

const MAX_OUTPUT_BYTES = 1_000_000_000;

/** Lists the commits of a clone. No configuration of the clone starts a program. */
async function commitsOf(folder: string): Promise<CloneCommits> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'log.showSignature=false'];
  const log = ['log', '--no-mailmap', '--no-color', `--format=${cloneLogFormat}`, 'HEAD'];
  try {
    const { stdout } = await promisify(execFile)('git', [...safe, '-C', folder, ...log], {
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return parseCloneCommits(stdout);
  } catch {
    throw Invalid('--clone', `${folder} is not a clone that git can read`);
  }
}
