import type { CommitCheck, Planted, PlantedAccess, PlantedPull, Protection, Push } from '../git/model.ts';
import { emptyPlanted, isWhole } from '../git/planted.ts';
import { findPullRequests, readUnreachableCommits } from '../git/repository.ts';
import { readStored, storeState } from '../stored-state.ts';
import { fullName, type Host, readPeople } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';

type PlantedRepositoryState = {
  repository: string;
  pulls: PlantedPull[];
  pushes: Push[];
  checks: CommitCheck[];
  protections: [string, Protection[]][];
  rulesets: [string, Protection[]][];
  signatures?: [string, string][];
  protectsTags: boolean;
  /** Absent in files of earlier releases. */
  access?: PlantedAccess | null;
};

/** Stores planted data in a file, so that it persists across restarts. */
export const persistPlanted = async (host: Host, file: string): Promise<void> => {
  const saved = readStored<PlantedRepositoryState[]>(file) ?? [];
  for (const { repository: name, pulls, ...rest } of saved) {
    const repository = host.repositories.find((candidate) => fullName(candidate) === name);
    if (repository === undefined) continue;
    await plantAll(host, repository, {
      ...rest,
      pulls: new Map(pulls.map((pull) => [pull.number, pull])),
      protections: new Map(rest.protections),
      rulesets: new Map(rest.rulesets),
      signatures: new Map(rest.signatures),
    });
  }
  host.savePlanted = () => storeState(file, snapshot(host));
};

/** Replaces all planted data of a repository. */
export const plantAll = async (host: Host, repository: HostedRepository, given: Partial<Planted>): Promise<void> => {
  const { git } = repository;
  git.planted = { ...emptyPlanted(), ...given };
  const { pulls, pushes } = git.planted;
  const shas = [...pulls.values()].flatMap(({ headSha, commits = [] }) => [headSha, ...commits]);
  const moved = pushes.flatMap(({ before, after }) => [before, after]);
  await readUnreachableCommits(
    git,
    [...new Set([...shas, ...moved])].flatMap((sha) => sha ?? []),
  );
  // Planted numbers have priority over inferred ones.
  const whole = [...pulls.values()].filter(isWhole);
  const planted = new Set<number | string>(whole.flatMap(({ number, key }) => [number, key]));
  const others = git.pullRequests.filter(({ number, key }) => !planted.has(number) && !planted.has(key));
  git.pullRequests = [...others, ...whole];
  findPullRequests(git);
  readPeople(host, git);
  host.savePlanted();
};

const snapshot = (host: Host): PlantedRepositoryState[] =>
  host.repositories.map((repository) => {
    const { pulls, pushes, checks, protections, rulesets, protectsTags, access, signatures } = repository.git.planted;
    return {
      repository: fullName(repository),
      pulls: [...pulls.values()],
      pushes,
      checks,
      protections: [...protections],
      rulesets: [...rulesets],
      protectsTags,
      access,
      signatures: [...signatures],
    };
  });
