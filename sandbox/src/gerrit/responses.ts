import type { FileChange } from '../git/changes.ts';
import { type Commit, parentsOf, type Signature } from '../git/log.ts';
import type { Person } from '../git/pull-request.ts';
import { stableId, type User, userOf } from '../git/users.ts';
import type { Gerrit } from './instance.ts';

/** Formats epoch milliseconds: UTC without a zone, in nanoseconds. */
export const timeText = (at: number): string => `${new Date(at).toISOString().replace('T', ' ').slice(0, 23)}000000`;

type AccountFacts = Pick<User, 'id' | 'login'> & { name?: string; type?: User['type']; emails?: string[] };

export const accountJson = ({ id, login, name = '', type, emails = [] }: AccountFacts) => ({
  _account_id: id,
  name: name || login,
  email: emails[0] ?? `${login}@example.com`,
  username: login,
  ...(type === 'Bot' && { tags: ['SERVICE_USER'] }),
});

/** The account of a name and address; undefined if the address has none. */
export const personJson = ({ host }: Gerrit, person: Person | null) => {
  const user = person === null ? undefined : userOf(host.users, person);
  return user === undefined ? undefined : accountJson(user);
};

/** The service that votes about checks. */
export const checkerJson = () => accountJson({ id: stableId('gerrit:ci'), login: 'ci', name: 'CI', type: 'Bot' });

/** `2012-04-24 18:08:08.000000000` and the offset in minutes. */
const signatureJson = ({ name, email, date, at }: Signature) => {
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(date) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  return { name, email, date: timeText(at), tz: sign === '-' ? -offset : offset };
};

/** `CommitInfo`. */
export const commitJson = (commit: Commit) => {
  const [subject = ''] = commit.message.split('\n');
  return {
    commit: commit.sha,
    parents: parentsOf(commit).map((sha) => ({ commit: sha, subject: '' })),
    author: signatureJson(commit.author),
    committer: signatureJson(commit.committer),
    subject,
    message: `${commit.message}\n`,
  };
};

/** `Tue Apr 24 18:08:08 2012 +0000`, as Gitiles writes times. */
const logTime = (at: number): string => {
  const [, day, date, month, year, time] =
    /^(\w{3}), (\d\d) (\w{3}) (\d{4}) (\S+) GMT$/.exec(new Date(at).toUTCString()) ?? [];
  return `${day} ${month} ${date} ${time} ${year} +0000`;
};

/** A commit of a history of Gitiles. */
export const loggedJson = (commit: Commit) => {
  const signed = ({ name, email, at }: Signature) => ({ name, email, time: logTime(at) });
  return {
    commit: commit.sha,
    tree: commit.tree,
    parents: parentsOf(commit),
    author: signed(commit.author),
    committer: signed(commit.committer),
    message: `${commit.message}\n`,
  };
};

const letters: Readonly<Record<FileChange['status'], string | undefined>> = {
  added: 'A',
  removed: 'D',
  renamed: 'R',
  copied: 'C',
  changed: 'W',
  modified: undefined,
};

/** `FileInfo` by path, with the text of the message as the host lists it. */
export const filesJson = (files: readonly FileChange[]) =>
  Object.fromEntries([
    ['/COMMIT_MSG', { status: 'A', lines_inserted: 7, size_delta: 100, size: 100 }],
    ...files.map(({ path, previousPath, status, additions, deletions }) => [
      path,
      {
        ...(letters[status] !== undefined && { status: letters[status] }),
        ...(previousPath !== undefined && { old_path: previousPath }),
        ...(additions > 0 && { lines_inserted: additions }),
        ...(deletions > 0 && { lines_deleted: deletions }),
        size_delta: 0,
        size: 0,
      },
    ]),
  ]);
