import { createHash } from 'node:crypto';
import { possibleFindings } from '../checkmarx/possible-findings.ts';
import { newUuid, stableUuid } from '../checkmarx/tenant.ts';
import type { PlantedWeakness } from '../checkmarx/weaknesses.ts';
import { headOf } from '../git/repository.ts';
import { fullName, type Host } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { createStoredState } from '../stored-state.ts';

/** The simulated scanners that share this store; Checkmarx One has its own. */
export const scannerNames = ['sonarqube', 'semgrep', 'snyk', 'dependency-track'] as const;
export type SimulatedScanner = (typeof scannerNames)[number];

export const accountName = 'sandbox';

/** A project of a scanner, which is a repository of the sandbox. */
export type ScannedProject = {
  id: string;
  name: string;
  mainBranch: string;
  repoUrl: string;
  source: HostedRepository;
};

/** A finding of a scan: its index among all possible ones, when it was found, and what a user decided. */
export type Finding = { seed: number; foundAt: string; dismissal?: { comment: string; at: string } };

export type ScannedState = { id: string; branch: string; commit: string; scannedAt: string; findings: Finding[] };

type AccountState = {
  /** The state of each branch, by project ID and branch. */
  branches: Record<string, Record<string, ScannedState>>;
  /** The number of the valid token. */
  token: number;
  /** Whether the token has its permissions. */
  mayRead: boolean;
  /** Whether each page of a list is the first one. */
  repeatsPages: boolean;
};

/** A simulated account at a scanner. Call `save` after a change. */
export type Account = {
  scanner: SimulatedScanner;
  host: Host;
  projects: readonly ScannedProject[];
  kept: AccountState;
  save: () => void;
};

/** `folder`: keeps the accounts across restarts. */
export const createAccount = (scanner: SimulatedScanner, host: Host, folder: string | undefined): Account => {
  const file = folder === undefined ? undefined : `${folder}/${scanner}.json`;
  const fresh: AccountState = { branches: {}, token: 1, mayRead: true, repeatsPages: false };
  return {
    scanner,
    host,
    // Repositories can be added later.
    get projects() {
      return host.repositories.map((repository) => projectOf(host, repository));
    },
    ...createStoredState(file, fresh),
  };
};

const projectOf = (host: Host, repository: HostedRepository): ScannedProject => ({
  id: stableUuid(`scanned ${fullName(repository)}`),
  name: fullName(repository),
  mainBranch: repository.git.defaultBranch,
  repoUrl: `${host.url}/${fullName(repository)}`,
  source: repository,
});

/** The valid token: it changes when the sandbox revokes it. */
export const currentToken = ({ scanner, kept }: Account): string =>
  `sandbox_${createHash('sha256').update(`${scanner} token ${kept.token}`).digest('hex').slice(0, 40)}`;

export const revokeToken = (account: Account): void => {
  account.kept.token += 1;
  account.save();
};

/** The address of the API. */
export const baseUrlOf = ({ host, scanner }: Account): string => `${host.url}/${scanner}`;

/** Number of findings in the first scan; later scans find the rest. */
const FIRST_FOUND = 12;

export type Weakness = PlantedWeakness & { seed: number };

/** All possible findings of a project that the scanner reports, in a stable order. */
export const weaknessesOf = async (
  { source, name }: ScannedProject,
  kinds: readonly PlantedWeakness['kind'][],
): Promise<Weakness[]> => {
  const all = await possibleFindings({ id: '', name, repository: name, mainBranch: '', source });
  return all.map((one, seed) => ({ ...one, seed })).filter(({ kind }) => kinds.includes(kind));
};

/** The branches of a project with their state. The first scan of the main branch is created on demand. */
export const branchesOf = async (account: Account, project: ScannedProject): Promise<ScannedState[]> => {
  const { kept } = account;
  const known = kept.branches[project.id] ?? {};
  if (known[project.mainBranch] === undefined) {
    const head = headOf(project.source.git);
    const scannedAt = new Date(head?.committer.at ?? project.source.git.startedAt).toISOString();
    const seeds = (await weaknessesOf(project, allKinds)).slice(0, FIRST_FOUND).map(({ seed }) => seed);
    known[project.mainBranch] = {
      id: stableUuid(`${account.scanner} ${project.id}`),
      branch: project.mainBranch,
      commit: head?.sha ?? '',
      scannedAt,
      findings: seeds.map((seed) => ({ seed, foundAt: scannedAt })),
    };
    kept.branches[project.id] = known;
    account.save();
  }
  return Object.values(known).toSorted((one, other) => other.scannedAt.localeCompare(one.scannedAt));
};

const allKinds: readonly PlantedWeakness['kind'][] = ['sast', 'kics', 'sca', 'container', 'secret'];

/** `dismiss`: the number of open findings that a user marks as false positives, without a scan. */
export type ScanChange = { branch?: string; add?: number; remove?: number; dismiss?: number; kinds?: Kinds };
type Kinds = readonly PlantedWeakness['kind'][];

/** Scans a branch again, with more and fewer findings; a dismissal alone changes findings without a scan. */
export const scanAgain = async (
  account: Account,
  project: ScannedProject,
  { branch = project.mainBranch, add = 0, remove = 0, dismiss = 0, kinds = allKinds }: ScanChange,
): Promise<ScannedState> => {
  const branches = await branchesOf(account, project);
  const before =
    branches.find((one) => one.branch === branch) ?? branches.find((one) => one.branch === project.mainBranch);
  // SonarQube states seconds, and two scans of a branch never end in the same one.
  const at = new Date(Math.max(Date.now(), Date.parse(before?.scannedAt ?? '') + 1000 || 0)).toISOString();
  const found = before?.findings ?? [];
  const weaknesses = await weaknessesOf(project, kinds);
  const ofKinds = new Set(weaknesses.map(({ seed }) => seed));
  const known = new Set(found.map(({ seed }) => seed));
  const open = found.filter(({ seed, dismissal }) => ofKinds.has(seed) && dismissal === undefined);
  const removed = new Set(open.slice(0, remove));
  const added = weaknesses.filter(({ seed }) => !known.has(seed)).slice(0, add);
  let dismissals = dismiss;
  const findings = [
    ...found.filter((one) => !removed.has(one)),
    ...added.map(({ seed }) => ({ seed, foundAt: at })),
  ].map((one: Finding) => {
    if (dismissals === 0 || one.dismissal !== undefined || !ofKinds.has(one.seed)) return one;
    dismissals -= 1;
    return { ...one, dismissal: { comment: 'Reviewed in the sandbox.', at } };
  });
  const isScan = add > 0 || remove > 0 || dismiss === 0 || before?.branch !== branch;
  const state: ScannedState = {
    id: isScan || before === undefined ? newUuid() : before.id,
    branch,
    commit: headOf(project.source.git)?.sha ?? '',
    scannedAt: isScan || before === undefined ? at : before.scannedAt,
    findings,
  };
  account.kept.branches[project.id] = { ...account.kept.branches[project.id], [branch]: state };
  account.save();
  return state;
};

const REPEATED_SIZE = 2;

/** One page of a list, from 1; always the same small one while the sandbox repeats pages. */
export const pageOf = <Item>({ kept }: Account, all: readonly Item[], page: number, size: number): Item[] => {
  if (kept.repeatsPages) return all.slice(0, Math.min(size, REPEATED_SIZE));
  const start = (page - 1) * size;
  return all.slice(start, start + size);
};
