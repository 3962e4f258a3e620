import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { exportPersonalData } from '@sightline/contract/organization/personal-data.ts';
import {
  getPromptStorage,
  listAgentRecords,
  listAgentSessions,
  updatePromptStorage,
} from '@sightline/contract/tools/agent-sessions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { type SentTelemetry, sendTelemetry } from './testing/otlp.ts';

const secret = 'Rename the ledger, canary-4711';

let server: TestServer;
let org: TestOrganization;
let member: TestAccount;
let key: string;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  org = await server.make.organization();
  member = await server.make.member(org.id, 'rol_contributor');
  ({ key } = await server.as(org.owner, org.id)(createAccessKey, { body: { name: 'Telemetry', use: 'telemetry' } }));
});
afterAll(() => server?.close());

const owner = () => server.as(org.owner, org.id);
const store = (isEnabled: boolean) => owner()(updatePromptStorage, { body: { isEnabled } });

/** Sends a prompt of the member, and returns its session. */
async function sendPrompt(attributes: SentTelemetry['resource'] = { 'user.email': member.email }): Promise<string> {
  const session = newId();
  const record = {
    name: 'claude_code.user_prompt',
    at: new Date().toISOString(),
    attributes: { 'session.id': session, prompt_length: secret.length, prompt: secret, ...attributes },
  };
  const answer = await sendTelemetry(server.url, key, {
    signal: 'logs',
    resource: { 'service.name': 'claude-code' },
    records: [record],
  });
  expect(answer.status).toBe(200);
  const { rows } = await owner()(listAgentSessions, { query: { search: session } });
  return rows[0]?.id ?? '';
}

const textsOf = async (sessionId: string, reader: TestAccount = org.owner) =>
  (await server.as(reader, org.id)(listAgentRecords, { params: { sessionId } })).rows.map(
    ({ promptText }) => promptText,
  );

const storedBytes = async (): Promise<string> =>
  server.services.database.withOrg(org.id, async ({ db }) => {
    const { rows } = await sql<{ row: string }>`
      select encode(text, 'escape') as row from agent_prompt union all select fields::text from agent_record`.execute(
      db,
    );
    return rows.map(({ row }) => row).join('\n');
  });

test('drops texts of prompts until an owner stores them', async () => {
  expect(await owner()(getPromptStorage, {})).toEqual({ isEnabled: false, enabledAt: null, enabledBy: null });
  const before = await sendPrompt();
  expect(await textsOf(before)).toEqual([null]);
  expect(await storedBytes()).not.toContain('canary');

  await store(true);
  // Only texts that arrive afterwards are stored, and only encrypted.
  expect(await textsOf(await sendPrompt())).toEqual([secret]);
  expect(await textsOf(before)).toEqual([null]);
  expect(await storedBytes()).not.toContain('canary');
});

test('shows every member that texts are stored, since when and by whom', async () => {
  await store(true);
  const shown = await server.as(member, org.id)(getPromptStorage, {});
  expect(shown).toMatchObject({ isEnabled: true, enabledBy: { id: await server.personOf(org.id, org.owner) } });
  expect(shown.enabledAt).not.toBeNull();
  const { entries } = await owner()(listAudit, { query: { action: ['agent_prompts.storage_changed'] } });
  expect(entries.map(({ sentence }) => sentence)).toEqual([
    [{ text: 'turned the storage of prompt texts of coding agents on' }],
  ]);
});

test('lets no one but an owner change the setting', async () => {
  const change = server.as(member, org.id)(updatePromptStorage, { body: { isEnabled: true } });
  expect(await refusalOf(change)).toMatchObject({ status: 403 });
});

test('deletes all texts when the storage ends', async () => {
  await store(true);
  const session = await sendPrompt();
  await store(false);
  expect(await textsOf(session)).toEqual([null]);
  await store(true);
  expect(await textsOf(session)).toEqual([null]);
});

test('stores no text of an unknown person, because it could not be erased for anyone', async () => {
  await store(true);
  expect(await textsOf(await sendPrompt({}))).toEqual([null]);
});

test('shows texts to the person and to roles that see the session, in this organization only', async () => {
  await store(true);
  const session = await sendPrompt();
  expect(await textsOf(session, member)).toEqual([secret]);
  const other = await server.make.member(org.id, 'rol_contributor');
  expect(await refusalOf(textsOf(session, other))).toMatchObject({ status: 404 });
  const stranger = await server.make.organization();
  const foreign = server.as(stranger.owner, stranger.id)(listAgentRecords, { params: { sessionId: session } });
  expect(await refusalOf(foreign)).toMatchObject({ status: 404 });
});

test('exports the texts with the data of the person', async () => {
  await store(true);
  await sendPrompt();
  const answer = await fetch(`${server.url}/api${exportPersonalData.path}`, {
    headers: { authorization: `Bearer ${await server.token(member, org.id)}` },
  });
  const exported = (await answer.json()) as { agent_prompts: { text: string }[] };
  expect(exported.agent_prompts.map(({ text }) => text)).toEqual([secret]);
});

test('cannot read a text without the key of its person', async () => {
  await store(true);
  const session = await sendPrompt();
  const person = await server.personOf(org.id, member);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db.deleteFrom('person_key').where('person_id', '=', person).execute(),
  );
  server.services.people.forget([person]);
  expect(await textsOf(session)).toEqual([null]);
});
