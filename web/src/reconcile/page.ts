import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { type BundleSide, bundleSideOf } from '@sightline/evidence/reconciliation/bundle-side.ts';
import {
  type CloneCommits,
  decodeTextFile,
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
import { acceptDrop, byId, bytesOf, keysIn, made, maybeBytes, showProblem, showProgress } from '../verify/elements.ts';
import { createBrowserReader } from './browser-reader.ts';

// A single page without framework. It connects only to the code host that its user enters, and sets text of a bundle
// and of a code host only as text.

const form = document.forms[0] as HTMLFormElement;
const bundle = byId<HTMLInputElement>('bundle');
const token = byId<HTMLInputElement>('token');
const button = form.querySelector('button') as HTMLButtonElement;
const textIn = (id: string): string => byId<HTMLInputElement>(id).value.trim();
const fileOf = (id: string): File | undefined => byId<HTMLInputElement>(id).files?.[0];

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run();
});
byId('print').addEventListener('click', () => print());
acceptDrop(byId('drop'), (files) => {
  bundle.files = files;
});

async function run(): Promise<void> {
  showProblem('');
  byId('result').hidden = true;
  const keys = keysIn('key');
  if (!keys) return;
  button.disabled = true;
  try {
    if (keys.length === 0) throw new Error('Enter the signing key of the ledger');
    const file = fileOf('bundle');
    if (!file) throw new Error('Select a bundle');
    const host = hostIn();
    const clone = await cloneIn();
    if (!host && !clone)
      throw new Error('Enter the address of the code host, or select the list of commits of a clone');
    await showProgress('Verifying the bundle…');
    const bytes = await bytesOf(file);
    const report = await verifyBundle(bytes, { keys, disclosureKey: await maybeBytes(fileOf('disclosure-key')) });
    if (!report.valid || !report.bundle) throw new Error(report.sentence.replace(/\.$/, ''));
    const names = report.bundle.names.repositories;
    const side = bundleSideOf(bytes);
    const { results, left } = await compareAll(side, names, { host, clone });
    show(results, left, `${file.name}: ${report.bundle.organization}, ${side.from} to ${side.until}`);
  } catch (error) {
    showProblem(`${error instanceof Error ? error.message : 'The comparison failed'}.`);
  } finally {
    token.value = '';
    await showProgress('');
    button.disabled = false;
  }
}

interface Sources {
  host: ReconciliationHost | undefined;
  clone: { repository: string; commits: CloneCommits } | undefined;
}

async function compareAll(
  side: BundleSide,
  names: readonly (readonly [id: string, name: string])[],
  { host, clone }: Sources,
): Promise<{ results: RepositoryReconciliation[]; left: string[] }> {
  const onHost = host ? requestedRepositories(textIn('repositories'), { side, names, host: host.name }) : [];
  const [only] = onHost.length === 1 ? onHost : side.repositories.map((id) => repositoryNamed(id, names));
  const cloned = clone && (clone.repository === '' ? only : repositoryNamed(clone.repository, names));
  const repositories: ReconciledRepository[] = [
    ...onHost,
    ...(cloned && onHost.every(({ id }) => id !== cloned.id) ? [cloned] : []),
  ];
  const results: RepositoryReconciliation[] = [];
  for (const repository of repositories) {
    results.push(
      await reconcileRepository(side, repository, {
        host: onHost.includes(repository) ? host : undefined,
        clone: repository.id === cloned?.id ? clone?.commits : undefined,
      }),
    );
  }
  return { results, left: repositoriesLeft(side, repositories, names) };
}

/** Throws for an address that a token must not be sent to. */
function hostIn(): ReconciliationHost | undefined {
  const entered = textIn('host');
  if (entered === '') return undefined;
  const url = URL.parse(entered);
  const problem = url ? hostUrlProblem(url) : 'must be a URL';
  if (!url || problem !== undefined) throw new Error(`The address of the code host ${problem}`);
  const kind = textIn('kind') || hostKindOf(url);
  if (!isHostKind(kind)) throw new Error('Select the kind of the code host');
  if (token.value.trim() === '') throw new Error('Enter your token of the code host');
  return {
    kind,
    name: url.host,
    read: createBrowserReader(apiAddressOf(kind, url), { token: token.value.trim(), email: textIn('email') }),
    onPage: (repository, merges) => void showProgress(`${repository}: ${merges} merges read…`),
  };
}

const isHostKind = (kind: string | undefined): kind is ReconciledHost =>
  (reconciledHosts as readonly (string | undefined)[]).includes(kind);

async function cloneIn(): Promise<Sources['clone']> {
  const file = fileOf('commits');
  if (!file) return undefined;
  try {
    return { repository: textIn('clone'), commits: parseCloneCommits(decodeTextFile(await bytesOf(file))) };
  } catch (error) {
    throw new Error(`${file.name} ${(error as Error).message}`);
  }
}

function show(results: readonly RepositoryReconciliation[], left: readonly string[], about: string): void {
  const isComplete = results.every(isReconciled);
  const result = byId('result');
  result.className = isComplete ? 'valid' : 'invalid';
  byId('outcome').textContent = isComplete ? 'Nothing is missing' : 'Differences';
  byId('about').textContent = about;
  byId('repositories-compared').replaceChildren(
    ...results.flatMap((one) => {
      const [title = '', ...lines] = reconciliationLines(one);
      const list = made('ul', '');
      list.append(...lines.map((line) => made('li', line.trim())));
      return [made('h3', title), list];
    }),
    ...(left.length > 0 ? [made('p', `Not compared: ${left.join(', ')}.`)] : []),
  );
  result.hidden = false;
  byId('outcome').focus();
}
