import { git } from './command.ts';

/** Branches and tags by full name, with their commits. */
export type Refs = ReadonlyMap<string, string>;

export type RefChange = { ref: string; before: string | undefined; after: string | undefined };

export const readRefs = async (path: string): Promise<Refs> => {
  const format = '--format=%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)';
  const lines = (await git(path, ['for-each-ref', format, 'refs/heads', 'refs/tags'])).toString().split('\n');
  const refs = new Map<string, string>();
  for (const line of lines) {
    const [ref = '', type, sha = '', peeledType, peeled = ''] = line.split(' ');
    if (type === 'commit') refs.set(ref, sha);
    else if (peeledType === 'commit') refs.set(ref, peeled);
  }
  // The checkout of a build server often has a detached HEAD and no branch.
  const head = branchNames(refs).length > 0 ? '' : await answer(path, 'rev-parse', '--verify', 'HEAD^{commit}');
  if (head !== '') refs.set('refs/heads/main', head);
  return refs;
};

export const compareRefs = (before: Refs, after: Refs): RefChange[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((ref) => ({ ref, before: before.get(ref), after: after.get(ref) }))
    .filter((change) => change.before !== change.after);

/**
 * The target branch of pull requests. HEAD decides only in a bare repository; elsewhere it is the checked-out branch.
 */
export const findDefaultBranch = async (path: string, bare: boolean, refs: Refs): Promise<string> => {
  const head = await answer(path, 'symbolic-ref', '--short', 'HEAD');
  const upstream = await answer(path, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD');
  const candidates = bare ? [head] : [upstream.replace(/^origin\//, ''), 'main', 'master', head];
  return candidates.find((name) => refs.has(`refs/heads/${name}`)) ?? branchNames(refs)[0] ?? 'main';
};

export const branchNames = (refs: Refs): string[] =>
  [...refs.keys()].filter((ref) => ref.startsWith(heads)).map((ref) => ref.slice(heads.length));

const heads = 'refs/heads/';

const answer = async (path: string, command: string, ...args: string[]): Promise<string> =>
  (await git(path, [command, '--quiet', ...args]).catch(() => Buffer.of())).toString().trim();
