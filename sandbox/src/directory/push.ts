import { setTimeout as delay } from 'node:timers/promises';
import type { DirectoryGroup, DirectoryTarget, DirectoryUser } from './resources.ts';

/** The result of a synchronization: requests by method, changes, and what the target rejected. */
export type PushReport = {
  requests: Record<string, number>;
  changes: number;
  failures: { request: string; status: number; detail: string }[];
  milliseconds: number;
};

type Resource = Record<string, unknown> & { id: string };
type Content = { users: DirectoryUser[]; groups: DirectoryGroup[]; deleted: { users: string[]; groups: string[] } };

const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The members that one request of Entra adds or removes at most. */
const MEMBERS_PER_REQUEST = 100;
const MAX_RETRIES = 5;

/** Creates a client that writes its requests like the real directory. `parallel`: users and groups at a time. */
export const createPush = (
  target: DirectoryTarget,
  parallel = 8,
): { push: (content: Content) => Promise<PushReport> } => {
  const report: PushReport = { requests: {}, changes: 0, failures: [], milliseconds: 0 };
  const call: Call = async (method, path, body) => {
    for (let attempt = 0; ; attempt += 1) {
      report.requests[method] = (report.requests[method] ?? 0) + 1;
      const response = await send(target, method, path, body);
      const text = await response.text();
      if (response.status === 429 && attempt < MAX_RETRIES) {
        await delay(Number(response.headers.get('retry-after') ?? 1) * 1000);
        continue;
      }
      if (method !== 'GET' && response.ok) report.changes += 1;
      if (response.ok) return text === '' ? undefined : (JSON.parse(text) as Resource);
      report.failures.push({
        request: `${method} ${path.split('?')[0]}`,
        status: response.status,
        detail: detailOf(text),
      });
      return undefined;
    }
  };
  const find = async (kind: 'Users' | 'Groups', attribute: string, value: string): Promise<Resource | undefined> => {
    const filter = encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`);
    const excluded = kind === 'Groups' && target.dialect === 'entra' ? 'excludedAttributes=members&' : '';
    const found = await call('GET', `/${kind}?${excluded}filter=${filter}`);
    return (found?.Resources as Resource[] | undefined)?.[0];
  };
  const dialect = target.dialect === 'entra' ? entra(call) : okta(call);
  const push = async (content: Content): Promise<PushReport> => {
    const started = Date.now();
    const remote = new Map<string, string>();
    await inParallel(content.users, parallel, async (user) => {
      const known = await find('Users', 'userName', user.email);
      const id = known ? await dialect.updateUser(known, user) : await dialect.createUser(user);
      if (id !== undefined) remote.set(user.id, id);
    });
    await inParallel(content.groups, parallel, async ({ name, members, id }) => {
      const wanted = members.flatMap((member) => remote.get(member) ?? []);
      const known = await find('Groups', 'displayName', name);
      if (known) await dialect.updateGroup(known, wanted);
      else await dialect.createGroup({ id, name }, wanted);
    });
    for (const email of content.deleted.users.splice(0)) {
      const known = await find('Users', 'userName', email);
      if (known) await call('DELETE', `/Users/${known.id}`);
    }
    for (const name of content.deleted.groups.splice(0)) {
      const known = await find('Groups', 'displayName', name);
      if (known) await call('DELETE', `/Groups/${known.id}`);
    }
    report.milliseconds = Date.now() - started;
    return report;
  };
  return { push };
};

const send = (target: DirectoryTarget, method: string, path: string, body: object | undefined): Promise<Response> =>
  fetch(`${target.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${target.token}`,
      accept: 'application/scim+json',
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** The explanation in a refusal; the start of a response in another form. */
const detailOf = (text: string): string => {
  try {
    return String((JSON.parse(text) as { detail?: string }).detail);
  } catch {
    return text.slice(0, 200);
  }
};

type Call = (method: string, path: string, body?: object) => Promise<Resource | undefined>;
type DialectClient = {
  createUser: (user: DirectoryUser) => Promise<string | undefined>;
  updateUser: (known: Resource, user: DirectoryUser) => Promise<string>;
  createGroup: (group: { id: string; name: string }, members: string[]) => Promise<void>;
  updateGroup: (known: Resource, members: string[]) => Promise<void>;
};

const displayNameOf = ({ givenName, familyName }: DirectoryUser) => `${givenName} ${familyName}`;
const patch = (...Operations: object[]) => ({ schemas: [patchOp], Operations });
const valuesOf = (ids: readonly string[]) => ids.map((value) => ({ value }));

/** Compares the members at the target with the wanted ones. */
const memberChanges = async (call: Call, id: string, wanted: readonly string[]) => {
  const group = await call('GET', `/Groups/${id}`);
  const present = ((group?.members ?? []) as { value: string }[]).map(({ value }) => value);
  return {
    joining: wanted.filter((member) => !present.includes(member)),
    leaving: present.filter((member) => !wanted.includes(member)),
  };
};

/** Microsoft Entra ID: capital letters, booleans as text, one attribute per operation, members by value. */
const entra = (call: Call): DialectClient => ({
  createUser: async (user) =>
    (
      await call('POST', '/Users', {
        schemas: [coreUser, enterpriseUser],
        externalId: user.id,
        userName: user.email,
        active: user.active,
        displayName: displayNameOf(user),
        emails: [{ primary: true, type: 'work', value: user.email }],
        meta: { resourceType: 'User' },
        name: {
          formatted: displayNameOf(user),
          givenName: user.givenName,
          familyName: user.familyName,
        },
        [enterpriseUser]: { department: 'Development' },
      })
    )?.id,
  updateUser: async (known, user) => {
    const name = known.name as { givenName?: string; familyName?: string } | undefined;
    const operations = [
      ...(known.active === user.active
        ? []
        : [{ op: 'Replace', path: 'active', value: user.active ? 'True' : 'False' }]),
      ...(known.displayName === displayNameOf(user)
        ? []
        : [{ op: 'Replace', path: 'displayName', value: displayNameOf(user) }]),
      ...(name?.givenName === user.givenName ? [] : [{ op: 'Add', path: 'name.givenName', value: user.givenName }]),
      ...(name?.familyName === user.familyName ? [] : [{ op: 'Add', path: 'name.familyName', value: user.familyName }]),
    ];
    if (operations.length > 0) await call('PATCH', `/Users/${known.id}`, patch(...operations));
    return known.id;
  },
  createGroup: async ({ id, name }, members) => {
    const body = { schemas: [coreGroup], externalId: id, displayName: name, meta: { resourceType: 'Group' } };
    const created = await call('POST', '/Groups', body);
    if (created) await entraMembers(call, created.id, 'Add', members);
  },
  updateGroup: async ({ id }, members) => {
    const { joining, leaving } = await memberChanges(call, id, members);
    await entraMembers(call, id, 'Add', joining);
    await entraMembers(call, id, 'Remove', leaving);
  },
});

const entraMembers = async (call: Call, id: string, op: 'Add' | 'Remove', members: readonly string[]) => {
  for (let from = 0; from < members.length; from += MEMBERS_PER_REQUEST) {
    const value = valuesOf(members.slice(from, from + MEMBERS_PER_REQUEST));
    await call('PATCH', `/Groups/${id}`, patch({ op, path: 'members', value }));
  }
};

/** Okta: whole users, attributes without a path, members by a filter in the path. */
const okta = (call: Call): DialectClient => ({
  createUser: async (user) => (await call('POST', '/Users', oktaUser(user)))?.id,
  updateUser: async (known, user) => {
    if (!user.active) {
      if (known.active !== false)
        await call('PATCH', `/Users/${known.id}`, patch({ op: 'replace', value: { active: false } }));
      return known.id;
    }
    const isSame = known.active === true && known.displayName === displayNameOf(user);
    if (!isSame) await call('PUT', `/Users/${known.id}`, { ...oktaUser(user), id: known.id });
    return known.id;
  },
  createGroup: async ({ name }, members) => {
    await call('POST', '/Groups', { schemas: [coreGroup], displayName: name, members: valuesOf(members) });
  },
  updateGroup: async ({ id }, members) => {
    const { joining, leaving } = await memberChanges(call, id, members);
    const operations = [
      ...leaving.map((member) => ({ op: 'remove', path: `members[value eq "${member}"]` })),
      ...(joining.length === 0 ? [] : [{ op: 'add', path: 'members', value: valuesOf(joining) }]),
    ];
    if (operations.length > 0) await call('PATCH', `/Groups/${id}`, patch(...operations));
  },
});

const oktaUser = (user: DirectoryUser) => ({
  schemas: [coreUser],
  userName: user.email,
  name: { givenName: user.givenName, familyName: user.familyName },
  emails: [{ primary: true, value: user.email, type: 'work' }],
  displayName: displayNameOf(user),
  locale: 'en-US',
  externalId: user.id,
  groups: [],
  active: user.active,
});

const inParallel = async <Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
};
