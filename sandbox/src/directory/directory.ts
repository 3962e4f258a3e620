import { randomUUID } from 'node:crypto';
import type { SamlState } from '../saml/state.ts';
import { createStoredState } from '../stored-state.ts';
import { createPush, type PushReport } from './push.ts';
import type { DirectoryGroup, DirectoryTarget, DirectoryUser } from './resources.ts';

type DirectoryState = {
  users: DirectoryUser[];
  groups: DirectoryGroup[];
  target: DirectoryTarget | undefined;
  /** The IDs of users and groups at the target that were deleted here and not yet there. */
  deleted: { users: string[]; groups: string[] };
  /** The SAML identity provider for these users. */
  saml?: SamlState;
};

/** A simulated directory that pushes its users and groups over SCIM 2.0. */
export type Directory = {
  state: DirectoryState;
  /** The result of the last synchronization; undefined before the first. */
  last: PushReport | undefined;
  save: () => void;
  /** Restores the initial users and groups, without a target. */
  reset: () => void;
  /** Sends everything that differs from the target. Synchronizations run one after another. */
  synchronize: () => Promise<PushReport>;
};

const initialUsers: [string, string][] = [
  ['Grace', 'Hopper'],
  ['Alan', 'Turing'],
  ['Barbara', 'Liskov'],
  ['Donald', 'Knuth'],
];

/** Creates the directory with four users of `sandbox.example` and two groups, or with the stored content. */
export const createDirectory = (file?: string): Directory => {
  const { kept: state, save } = createStoredState(file, initialState());
  let pending: Promise<unknown> = Promise.resolve();
  const directory: Directory = {
    state,
    last: undefined,
    save,
    reset: () => {
      // Pages and controls hold the object.
      Object.assign(state, initialState());
      directory.last = undefined;
      directory.save();
    },
    synchronize: () => {
      const run = pending.then(async () => {
        const { target } = directory.state;
        if (target === undefined) throw new Error('The directory has no target.');
        directory.last = await createPush(target).push(directory.state);
        directory.save();
        return directory.last;
      });
      pending = run.catch(() => undefined);
      return run;
    },
  };
  return directory;
};

const initialState = (): DirectoryState => {
  const users = initialUsers.map(([givenName, familyName]) => ({
    id: randomUUID(),
    givenName,
    familyName,
    email: `${givenName}.${familyName}@sandbox.example`.toLowerCase(),
    active: true,
  }));
  const ids = users.map(({ id }) => id);
  return {
    users,
    groups: [
      { id: randomUUID(), name: 'Engineering', members: ids },
      { id: randomUUID(), name: 'Security', members: ids.slice(0, 1) },
    ],
    target: undefined,
    deleted: { users: [], groups: [] },
  };
};
