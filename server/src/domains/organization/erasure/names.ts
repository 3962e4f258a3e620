import { providers } from '@sightline/contract/core/providers.ts';
import type { Tx } from '#database/database.ts';
import type { ErasedNames } from './scrub.ts';

interface NameRow extends Record<string, unknown> {
  kind: 'email' | 'login' | 'name' | 'picture';
  value: string;
}

/**
 * All names of these persons in the organization. Omits shared addresses, common names and names of repository owners,
 * which are part of repository names.
 */
export async function loadNamesToErase(
  tx: Tx,
  orgId: string,
  persons: readonly string[],
  accountId: string | null,
): Promise<ErasedNames> {
  const rows = await tx.query<NameRow>({ name: '', text: namesSql, values: [orgId, persons, accountId] });
  const ownerRows = await tx.query<{ owner: string }>({
    name: '',
    text: `select lower(owner) as owner from repository where org_id = $1
           union select lower(account_login) from installation where org_id = $1`,
    values: [orgId],
  });
  const owners = new Set(ownerRows.map(({ owner }) => owner));
  const valuesOf = (kind: NameRow['kind']) => [
    ...new Set(rows.flatMap((row) => (row.kind === kind ? [row.value.trim()] : []))),
  ];
  const emails = valuesOf('email').filter((email) => !isShared(email));
  const names = valuesOf('name');
  return {
    emails: [...new Set([...emails, ...names.filter(isAddress)])],
    logins: valuesOf('login').filter(
      (login) => !/^\d*$/.test(login) && !owners.has(login.toLowerCase()) && !isCommon(login),
    ),
    names: names.filter(
      (name) => name !== '' && !isAddress(name) && !owners.has(name.toLowerCase()) && !isCommon(name),
    ),
    pictures: valuesOf('picture').filter((url) => /^https?:/.test(url)),
  };
}

const isAddress = (text: string) => /^\S+@\S+$/.test(text);
const isShared = (email: string) => /^(no-?reply|bot|actions?)@/i.test(email);
const common = new Set(['unknown', 'root', 'admin', 'user', ...providers, 'ghost', 'web-flow', 'erased']);
const isCommon = (name: string) => common.has(name.toLowerCase()) || name === 'Deleted person';

// The profile of the account belongs to the person, so its names are theirs too.
const namesSql = `
  with named as (
    select kind, value, display, picture from identity where org_id = $1 and person_id = any($2::uuid[])
  ), addresses as (
    select lower(value) as email from named where kind = 'email'
  ), commits as (
    select author_name, author_email, author_login from commit where org_id = $1 and author_person = any($2::uuid[])
    union
    select committer_name, committer_email, committer_login from commit
    where org_id = $1 and lower(committer_email) in (select email from addresses)
  ), own as (
    select * from account where id = $3::uuid
  ), linked as (
    select profile from account_identity where account_id = $3::uuid
  )
  select case kind when 'email' then 'email' else 'login' end as kind, value from named where kind <> 'account'
  union select 'name', display from named where display is not null
  union select 'picture', picture from named where picture is not null
  union select 'name', author_name from commits
  union select 'email', author_email from commits where author_email <> ''
  union select 'login', author_login from commits where author_login is not null
  union select 'name', name from contributor where org_id = $1 and person_id = any($2::uuid[])
  union select 'email', email from contributor where org_id = $1 and person_id = any($2::uuid[]) and email <> ''
  union select 'login', login from contributor where org_id = $1 and person_id = any($2::uuid[]) and login is not null
  union select 'login', author_login from pull_request where org_id = $1 and author_person = any($2::uuid[])
  union select 'picture', author_avatar from pull_request where org_id = $1 and author_person = any($2::uuid[]) and author_avatar is not null
  union select 'login', login from review where org_id = $1 and person_id = any($2::uuid[])
  union select 'email', email from own
  union select 'name', name from own
  union select 'picture', picture from own where picture is not null
  union select 'login', github_login from own where github_login is not null
  union select 'name', github_name from own where github_name is not null
  union select 'name', description->>field from own cross join unnest(array['displayName', 'alias']) as field
    where description->>field is not null
  union select 'email', description->>'email' from own where coalesce(description->>'email', '') <> ''
  union select 'email', e.email from account_identity_email e join account_identity i using (connection, subject) where i.account_id = $3::uuid
  union select 'name', profile->>'name' from linked where profile->>'name' is not null
  union select 'login', profile->>'nickname' from linked where profile->>'nickname' is not null
  union select 'email', profile->>'email' from linked where profile->>'email' is not null
  union select 'picture', profile->>'picture' from linked where profile->>'picture' is not null`;
