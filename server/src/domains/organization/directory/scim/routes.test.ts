import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { connectTestDirectory, groupSchema, patchOf, type Scim, userBody, userSchema } from '../testing/directory.ts';

let server: TestServer;
let scim: Scim;
beforeAll(async () => {
  server = await shareTestServer();
  const org = await server.make.organization();
  ({ scim } = await connectTestDirectory(server, org, { domain: 'wire.example' }));
});
afterAll(() => server.close());

let users = 0;
const newAddress = () => {
  users += 1;
  return `person${users}@wire.example`;
};
const create = async (more: object = {}) => {
  const address = newAddress();
  return { address, ...(await scim('POST', '/Users', userBody(address, more))).body };
};
const patch = async (id: string, ...operations: object[]) =>
  (await scim('PATCH', `/Users/${id}`, patchOf(...operations))).body;

describe('discovery', () => {
  test('describes what the service supports', async () => {
    const config = await scim('GET', '/ServiceProviderConfig');
    expect(config.headers.get('content-type')).toContain('application/scim+json');
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
    const types = await scim('GET', '/ResourceTypes');
    expect(types.body.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
    expect((await scim('GET', '/ResourceTypes/Group')).body).toMatchObject({
      endpoint: '/Groups',
      schema: groupSchema,
    });
    const schemas = await scim('GET', '/Schemas');
    expect(schemas.body.totalResults).toBe(2);
    expect(
      (await scim('GET', `/Schemas/${userSchema}`)).body.attributes.map(({ name }: { name: string }) => name),
    ).toEqual(['userName', 'name', 'displayName', 'active', 'emails', 'groups']);
    expect((await scim('GET', '/Schemas/urn:x')).status).toBe(404);
    expect((await scim('GET', '/Schemas?filter=id pr')).status).toBe(403);
  });

  test.each(['/Bulk', '/Me', '/.search'])('refuses %s as not implemented', async (path) => {
    const { status, body } = await scim('POST', path, { schemas: ['x'], Operations: [] });
    expect([status, body.schemas, body.status]).toEqual([501, ['urn:ietf:params:scim:api:messages:2.0:Error'], '501']);
  });
});

describe('the requests of Microsoft Entra ID', () => {
  test('find, create, change and deactivate a user', async () => {
    const address = newAddress();
    const found = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${address}"`)}`);
    expect(found.body).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 });
    const created = await scim('POST', '/Users', {
      schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '58342554-38d6-4ec8-948c-50044d0a33fd',
      userName: address,
      active: true,
      displayName: 'Lennie Betz',
      emails: [{ primary: true, type: 'work', value: address }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Betz, Lennie', familyName: 'Betz', givenName: 'Lennie' },
      roles: [],
      phoneNumbers: [{ type: 'mobile', value: '555' }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'HR', manager: { value: 'x' } },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(created.body.meta.location);
    expect(created.body.phoneNumbers).toBeUndefined();
    const { id } = created.body;
    const changed = await patch(
      id,
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'IT' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `new.${address}` },
      { op: 'Add', path: 'emails[type eq "home"].value', value: `home.${address}` },
      { op: 'Replace', path: 'name.familyName', value: 'Doe' },
      { op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Bern' },
      { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '556' },
    );
    expect(changed).toMatchObject({
      emails: [
        { primary: true, type: 'work', value: `new.${address}` },
        { type: 'home', value: `home.${address}` },
      ],
      name: { familyName: 'Doe', givenName: 'Lennie' },
    });
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'False' })).active).toBe(false);
    expect((await patch(id, { op: 'Add', path: 'active', value: 'True' })).active).toBe(true);
    const twice = await scim('POST', '/Users', userBody(address.toUpperCase()));
    expect([twice.status, twice.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  });

  test('find, create and change a group without its members in the response', async () => {
    const [one, two] = [await create(), await create()];
    const displayName = `Group ${one.id}`;
    const filter = encodeURIComponent(`displayName eq "${displayName}"`);
    expect((await scim('GET', `/Groups?excludedAttributes=members&filter=${filter}`)).body.totalResults).toBe(0);
    const { id } = (
      await scim('POST', '/Groups', { schemas: [groupSchema], externalId: 'x1', displayName, members: [] })
    ).body;
    const members = async () =>
      (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).toSorted();
    await scim('PATCH', `/Groups/${id}`, patchOf({ op: 'Add', path: 'members', value: [{ value: one.id }] }));
    await scim('PATCH', `/Groups/${id}`, patchOf({ op: 'Add', path: 'members', value: [{ value: two.id }] }));
    expect(await members()).toEqual([one.id, two.id].toSorted());
    expect((await scim('GET', `/Groups/${id}?excludedAttributes=members`)).body.members).toBeUndefined();
    expect((await scim('GET', `/Users/${one.id}`)).body.groups).toMatchObject([{ value: id, display: displayName }]);
    await scim('PATCH', `/Groups/${id}`, patchOf({ op: 'Remove', path: 'members', value: [{ value: one.id }] }));
    expect(await members()).toEqual([two.id]);
    const memberFilter = encodeURIComponent(`id eq "${id}" and members eq "${two.id}"`);
    expect((await scim('GET', `/Groups?excludedAttributes=members&filter=${memberFilter}`)).body.totalResults).toBe(1);
    await scim('PATCH', `/Groups/${id}`, patchOf({ op: 'Remove', path: 'members' }));
    expect(await members()).toEqual([]);
  });
});

describe('the requests of Okta', () => {
  test('replace a user, and deactivate it without a path', async () => {
    const { id, address } = await create({ externalId: '00u1' });
    const body = userBody(address, { id, displayName: 'New Name', locale: 'en-US', password: 'ignored', groups: [] });
    const replaced = await scim('PUT', `/Users/${id}`, body);
    expect(replaced.body).toMatchObject({ displayName: 'New Name', active: true });
    expect(replaced.body.externalId).toBeUndefined();
    expect(JSON.stringify(replaced.body)).not.toContain('ignored');
    expect((await patch(id, { op: 'replace', value: { active: false } })).active).toBe(false);
  });

  test('replace name and members of a group', async () => {
    const [one, two] = [await create(), await create()];
    const displayName = `Okta ${one.id}`;
    const { id } = (
      await scim('POST', '/Groups', { schemas: [groupSchema], displayName, members: [{ value: one.id }] })
    ).body;
    const renamed = await scim(
      'PATCH',
      `/Groups/${id}`,
      patchOf({ op: 'replace', value: { id, displayName: `${displayName} 2` } }),
    );
    expect(renamed.body.displayName).toBe(`${displayName} 2`);
    const swapped = await scim(
      'PATCH',
      `/Groups/${id}`,
      patchOf(
        { op: 'remove', path: `members[value eq "${one.id}"]` },
        { op: 'add', path: 'members', value: [{ value: two.id, display: 'x' }] },
      ),
    );
    expect(swapped.body.members).toMatchObject([{ value: two.id }]);
    const replaced = await scim(
      'PATCH',
      `/Groups/${id}`,
      patchOf({ op: 'replace', path: 'members', value: [{ value: one.id }] }),
    );
    expect(replaced.body.members).toMatchObject([{ value: one.id }]);
  });
});

test('a repeated synchronization writes nothing', async () => {
  const { id, address } = await create();
  const group = (
    await scim('POST', '/Groups', { schemas: [groupSchema], displayName: `Same ${id}`, members: [{ value: id }] })
  ).body;
  const before = [await scim('GET', `/Users/${id}`), await scim('GET', `/Groups/${group.id}`)].map(({ body }) => body);
  await scim('PUT', `/Users/${id}`, userBody(address));
  await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: true } }));
  await scim('PUT', `/Groups/${group.id}`, {
    schemas: [groupSchema],
    displayName: group.displayName,
    members: [{ value: id }],
  });
  await scim('PATCH', `/Groups/${group.id}`, patchOf({ op: 'add', path: 'members', value: [{ value: id }] }));
  const after = [await scim('GET', `/Users/${id}`), await scim('GET', `/Groups/${group.id}`)].map(({ body }) => body);
  expect(after).toEqual(before);
});

describe('filters and pages', () => {
  test('filter by each operator, in any case where the schema says so', async () => {
    const { id, address } = await create({ externalId: 'Ext-7', displayName: 'Quentin "Q" Zeta' });
    const hits = async (filter: string) => {
      const { status, body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      return status === 200 ? body.Resources.map((user: { id: string }) => user.id).includes(id) : body.scimType;
    };
    const cases: [string, unknown][] = [
      [`userName eq "${address.toUpperCase()}"`, true],
      [`USERNAME EQ "${address}"`, true],
      [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${address}"`, true],
      ['externalId eq "Ext-7"', true],
      ['externalId eq "ext-7"', false],
      [`id eq "${id}" and active eq true`, true],
      [`id eq "${id}" and active eq false`, false],
      [`id eq "${id}" and not (active eq false)`, true],
      ['displayName eq "Quentin \\"Q\\" Zeta"', true],
      ['displayName sw "quentin" and displayName ew "ZETA" and displayName co "q"', true],
      [`emails[type eq "work" and value eq "${address}"]`, true],
      [`emails.value eq "${address}"`, true],
      [`emails[type eq "home"].value eq "${address}"`, false],
      ['name.familyName eq "hopper" and externalId pr', true],
      ['meta.lastModified gt "2020-01-01T00:00:00Z" and externalId eq "Ext-7"', true],
      ['meta.lastModified lt "2020-01-01T00:00:00Z"', false],
      [`externalId ne "Ext-7" and id eq "${id}"`, false],
      [`userName eq "x" or externalId eq "Ext-7"`, true],
      ['userName eq', 'invalidFilter'],
      ['userName', 'invalidFilter'],
      ['title eq "x"', 'invalidFilter'],
      ['password eq "x"', 'invalidFilter'],
      ['active gt true', 'invalidFilter'],
      ['userName eq 5', 'invalidFilter'],
      ['meta.created gt "now()"', 'invalidFilter'],
      [`${'('.repeat(200)}userName pr`, 'invalidFilter'],
      [`userName eq "${'x'.repeat(3000)}"`, 'invalidFilter'],
      [`userName eq "'; drop table directory_user; --"`, false],
    ];
    for (const [filter, expected] of cases) expect([filter, await hits(filter)]).toEqual([filter, expected]);
  });

  test('pages have the bounds of the protocol', async () => {
    const created = [await create(), await create(), await create()];
    const page = async (query: string) => (await scim('GET', `/Users?${query}`)).body;
    const { totalResults } = await page('count=0');
    expect(await page('count=0')).toMatchObject({ Resources: [], itemsPerPage: 0 });
    const all: string[] = [];
    for (let startIndex = 1; startIndex <= totalResults; startIndex += 2) {
      const { Resources, itemsPerPage } = await page(`startIndex=${startIndex}&count=2`);
      expect(itemsPerPage).toBe(Resources.length);
      all.push(...Resources.map(({ id }: { id: string }) => id));
    }
    expect(new Set(all).size).toBe(totalResults);
    expect(all.slice(-3)).toEqual(created.map(({ id }) => id));
    expect(await page('startIndex=-4&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect(await page('count=-1')).toMatchObject({ itemsPerPage: 0 });
    expect(await page(`startIndex=${totalResults + 1}`)).toMatchObject({ Resources: [], totalResults });
    expect((await scim('GET', '/Users?count=many')).status).toBe(400);
    const search = await scim('POST', '/Users/.search', {
      filter: `id eq "${created[0]?.id}"`,
      attributes: ['userName'],
    });
    expect(Object.keys(search.body.Resources[0]).toSorted()).toEqual(['id', 'meta', 'schemas', 'userName']);
  });
});

test.each([
  { what: 'no JSON', send: () => scim('POST', '/Users', '{'), status: 400, scimType: 'invalidSyntax' },
  { what: 'a list', send: () => scim('POST', '/Users', []), status: 400, scimType: 'invalidSyntax' },
  {
    what: 'no userName',
    send: () => scim('POST', '/Users', { displayName: 'x' }),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'a number as userName',
    send: () => scim('POST', '/Users', { userName: 5 }),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'a line break in userName',
    send: () => scim('POST', '/Users', { userName: 'a\nb' }),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'active: maybe',
    send: () => scim('POST', '/Users', userBody('m@wire.example', { active: 'maybe' })),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'two primary addresses',
    send: () =>
      scim(
        'POST',
        '/Users',
        userBody('p@wire.example', {
          emails: [
            { value: 'a@b.example', primary: true },
            { value: 'c@b.example', primary: true },
          ],
        }),
      ),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'no displayName',
    send: () => scim('POST', '/Groups', { members: [] }),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'an unknown member',
    send: () =>
      scim('POST', '/Groups', { displayName: 'U', members: [{ value: '00000000-0000-4000-8000-000000000000' }] }),
    status: 400,
    scimType: 'invalidValue',
  },
  {
    what: 'a member that is no ID',
    send: () => scim('POST', '/Groups', { displayName: 'U', members: [{ value: "' or 1=1" }] }),
    status: 400,
    scimType: 'invalidValue',
  },
  { what: 'an ID that is none', send: () => scim('GET', '/Users/..%2fGroups'), status: 404, scimType: undefined },
])('refuses $what', async ({ send, status, scimType }) => {
  const { status: found, body } = await send();
  expect([found, body.status, body.scimType, body.schemas]).toEqual([
    status,
    `${status}`,
    scimType,
    ['urn:ietf:params:scim:api:messages:2.0:Error'],
  ]);
  expect(body.detail.length).toBeGreaterThan(5);
});

test.each([
  [{ Operations: [] }, 'invalidSyntax'],
  [{ schemas: ['x'], Operations: [{ op: 'add', path: 'active', value: true }] }, 'invalidSyntax'],
  [patchOf(), 'invalidSyntax'],
  [patchOf({ op: 'move', path: 'active', value: true }), 'invalidSyntax'],
  [patchOf({ op: 'remove' }), 'noTarget'],
  [patchOf({ op: 'replace', path: 'active' }), 'invalidValue'],
  [patchOf({ op: 'replace', value: 'text' }), 'invalidSyntax'],
  [patchOf({ op: 'replace', path: 'emails[type eq', value: 'x' }), 'invalidPath'],
  [patchOf({ op: 'replace', path: 'emails[((((].value', value: 'x' }), 'invalidPath'],
  [patchOf({ op: 'replace', path: 'emails[value co "nothing"].value', value: 'x' }), 'noTarget'],
  [patchOf({ op: 'replace', path: 'emails.secret', value: 'x' }), 'invalidPath'],
  [patchOf({ op: 'remove', path: 'userName' }), 'mutability'],
  [patchOf({ op: 'replace', path: 'userName', value: '' }), 'invalidValue'],
])('refuses the patch %j', async (body, scimType) => {
  const { id } = await create();
  const before = (await scim('GET', `/Users/${id}`)).body;
  const refused = await scim('PATCH', `/Users/${id}`, body);
  expect([refused.status, refused.body.scimType]).toEqual([400, scimType]);
  expect((await scim('GET', `/Users/${id}`)).body).toEqual(before);
});

test('names of the prototype are attributes like others', async () => {
  const { id } = await create();
  for (const path of ['__proto__.polluted', 'constructor.prototype.polluted', 'name.__proto__']) {
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path, value: 'yes' }));
  }
  await scim(
    'PATCH',
    `/Users/${id}`,
    `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"add","value":{"__proto__":{"polluted":"yes"}}}]}`,
  );
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test('refuses other content types and large bodies in the form of the protocol', async () => {
  const { status, body } = await scim('POST', '/Users', 'x'.repeat(2 * 1024 * 1024 + 1));
  expect([status, body.status]).toEqual([413, '413']);
});
