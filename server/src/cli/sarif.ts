import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { providers } from '@sightline/contract/core/providers.ts';
import { getScan, type Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { readCiBuild } from '#config.ts';
import { Invalid } from '#core/errors.ts';
import { type RemoteServer, remoteClient, uploadSarifTo } from '#providers/sightline.ts';
import { git, remoteOf } from './build.ts';
import { command } from './command.ts';

const pack = promisify(gzip);

export const uploadSarifFile = command({
  name: 'sarif upload',
  description: 'Uploads a SARIF file from a build or manually. Requires an access key and no data directory.',
  valueName: ['FILE'],
  options: {
    repository: {
      valueName: 'HOST/OWNER/NAME',
      description: 'Such as github/acme/api. Default in GitHub Actions: the current repository.',
    },
    ref: { valueName: 'REF', description: 'The scanned ref. Default: from the build or git.' },
    commit: { valueName: 'SHA', description: 'The scanned commit. Default: from the build or git.' },
    category: { valueName: 'NAME', description: 'Distinguishes several analyses of one scanner.' },
    url: { valueName: 'URL', description: 'The URL of Sightline. Default: SIGHTLINE_URL.' },
    key: {
      valueName: 'KEY',
      description: 'An access key. Default: SIGHTLINE_KEY. Options are visible to other users of the machine.',
    },
  },
  run: async ({ options, words: [path = ''], json }) => {
    const build = readCiBuild();
    const remote = remoteOf(options.url ?? build.url, options.key ?? build.key);
    const { provider, repoPath } = repositoryOf(options.repository ?? build.repository);
    const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw Invalid('FILE', error.code === 'ENOENT' ? `does not exist: ${path}` : `cannot be read: ${error.message}`);
    });
    const print = (words: string) => void (json || process.stderr.write(`${words}\n`));
    const ref = options.ref ?? build.ref ?? (await git('symbolic-ref', 'HEAD'));
    const commit = options.commit ?? build.commit ?? (await git('rev-parse', 'HEAD'));
    const { category } = options;
    print(`Sending ${path} (${megabytes(file.length)}) for ${repoPath}${ref === undefined ? '' : ` at ${ref}`} …`);
    const query = { ...(ref && { ref }), ...(commit && { commit }), ...(category && { category }) };
    const packed = file[0] === 0x1f && file[1] === 0x8b ? file : await pack(file);
    const sent = await uploadSarifTo(remote, { provider, repoPath, query, file: packed });
    const scans = await waitForScans(remote, sent, print);
    return { json: { scans }, lines: linesOf(scans), failed: scans.some(({ state }) => state === 'failed') };
  },
});

function repositoryOf(given: string | undefined) {
  if (given === undefined) throw Invalid('--repository', 'is missing');
  const provider = providers.find((host) => given.startsWith(`${host}/`));
  const repoPath = provider && given.slice(provider.length + 1);
  if (!provider || !repoPath?.includes('/')) {
    throw Invalid('--repository', 'must name the host, the owner and the repository, such as github/acme/api');
  }
  return { provider, repoPath };
}

/** Waits for scans that were running when the upload was acknowledged. */
async function waitForScans(
  remote: RemoteServer,
  scans: readonly Scan[],
  print: (words: string) => void,
): Promise<Scan[]> {
  const ask = remoteClient(remote);
  return Promise.all(
    scans.map(async (first) => {
      let scan = first;
      while (scan.state === 'receiving' || scan.state === 'matching') {
        print(`${scan.tool.name}: ${scan.state}, ${scan.received} results received …`);
        await wait(3000);
        scan = await ask(getScan, { params: { scanId: first.id } });
      }
      return scan;
    }),
  );
}

const linesOf = (scans: readonly Scan[]): string[] =>
  scans.length === 0
    ? ['The file contains no scanner run. Nothing was imported.']
    : scans.flatMap(({ tool, category, ref, counts, rejected, error }) => [
        `${tool.name}${category && ` (${category})`} at ${ref}: ${error ?? wordsOf(counts)}`,
        ...rejected.map(({ place, reason }) => `  ${place}: ${reason}`),
      ]);

const wordsOf = (counts: Scan['counts']): string =>
  counts === null
    ? 'nothing'
    : `${counts.new} new, ${counts.fixed} fixed, ${counts.reopened} reopened, ${counts.unchanged} unchanged, ${counts.rejected} skipped`;

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
