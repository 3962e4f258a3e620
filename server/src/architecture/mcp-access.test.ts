import { type McpToolName, mcpTools } from '@sightline/contract/platform/mcp.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionAudienceOf, mcpResourceOf } from '#core/tokens.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { callTool, connectMcpClient } from '../domains/platform/mcp/testing/client.ts';
import { badTokens } from './bad-tokens.ts';
import { githubEnvironment } from './github-environment.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let ours: Seed;
let theirs: Seed;
let tokens: Record<Caller, string | undefined>;
beforeAll(async () => {
  server = await startTestServer({ environment: githubEnvironment });
  ours = await seedOrganization(server, 'quokka');
  theirs = await seedOrganization(server, 'wombat');
  tokens = await credentialsOf();
});
afterAll(() => server?.close());

/** Members with a connected MCP client; `otherOwner` sends the IDs of the first organization. */
const members = ['owner', 'contributor', 'reviewer', 'auditor', 'otherOwner'] as const;
/** Credentials that the MCP server rejects. `intruder`: of another organization, with a token for the first one. */
const rejected = [
  'anonymous',
  'expired',
  'forged',
  'pageToken',
  'extensionToken',
  'withoutGrant',
  'grantOfOther',
  'grantOfOtherOrganization',
  'endedSession',
  'revokedGrant',
  'deactivated',
  'removed',
  'intruder',
  'keyOfOrganization',
] as const;
type Member = (typeof members)[number];
type Caller = Member | (typeof rejected)[number];
/** `ok`, or the code of the refusal. */
type Outcome = 'ok' | 'forbidden' | 'not_found';

const row = (owner: Outcome, contributor: Outcome, reviewer: Outcome, auditor: Outcome, otherOwner: Outcome) => ({
  owner,
  contributor,
  reviewer,
  auditor,
  otherOwner,
});

/**
 * Who may call each tool, with the IDs of items of the owner in the first organization. It repeats no declaration of the
 * tools or of the contract. The proof of an unknown entry is missing evidence, so the other owner gets an answer.
 */
const matrix: Record<McpToolName, Record<Member, Outcome>> = {
  search_events: row('ok', 'ok', 'ok', 'ok', 'ok'),
  get_finding: row('ok', 'not_found', 'ok', 'ok', 'not_found'),
  get_change: row('ok', 'not_found', 'ok', 'ok', 'not_found'),
  get_control: row('ok', 'forbidden', 'ok', 'ok', 'ok'),
  list_gaps: row('ok', 'forbidden', 'ok', 'ok', 'ok'),
  get_proof: row('ok', 'forbidden', 'ok', 'ok', 'ok'),
  what_is_recorded_about_me: row('ok', 'ok', 'ok', 'ok', 'ok'),
  simulate_policy: row('ok', 'forbidden', 'forbidden', 'forbidden', 'not_found'),
};

const inputOf = (name: McpToolName): Record<string, unknown> => {
  const inputs: Partial<Record<McpToolName, Record<string, unknown>>> = {
    get_finding: { findingId: ours.findingId },
    get_change: { changeId: ours.changeId },
    get_control: { control: 'CHG-01' },
    get_proof: { entryId: ours.auditId },
    simulate_policy: {
      policyId: ours.policyId,
      kind: 'sla',
      scope: { repositories: null, branches: [] },
      settings: { 'VUL-02': { limit: 5 } },
    },
  };
  return inputs[name] ?? {};
};

async function credentialsOf(): Promise<Record<Caller, string | undefined>> {
  const { org } = ours;
  const tokenOf = async (account: Seed['contributor'], orgId = org.id) =>
    (await connectMcpClient(server, account, orgId)).token;
  const { PUBLIC_URL } = server.config;
  const aud = mcpResourceOf(PUBLIC_URL);
  const owners = await connectMcpClient(server, org.owner, org.id);
  const { forged } = await badTokens(server, org.owner, org.id);
  const endedSession = '01a00000-0000-7000-8000-000000000001';
  server.services.endedSessions.add([endedSession]);
  const revoked = await connectMcpClient(server, org.owner, org.id);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db.updateTable('extension_grant').set({ revoked_at: new Date() }).where('id', '=', revoked.grantId).execute(),
  );
  return {
    owner: owners.token,
    contributor: await tokenOf(ours.contributor),
    reviewer: await tokenOf(ours.reviewer),
    auditor: await tokenOf(ours.auditor),
    otherOwner: await tokenOf(theirs.org.owner, theirs.org.id),
    anonymous: undefined,
    expired: await server.token(org.owner, org.id, {
      aud,
      grant: owners.grantId,
      nbf: Math.floor(Date.now() / 1000) + 3600,
    }),
    forged,
    pageToken: await server.token(org.owner, org.id, { grant: owners.grantId }),
    extensionToken: await server.token(org.owner, org.id, { aud: extensionAudienceOf(PUBLIC_URL) }),
    withoutGrant: await server.token(org.owner, org.id, { aud }),
    grantOfOther: await server.token(ours.auditor, org.id, { aud, grant: owners.grantId }),
    grantOfOtherOrganization: await server.token(theirs.org.owner, theirs.org.id, { aud, grant: owners.grantId }),
    endedSession: (await connectMcpClient(server, org.owner, org.id, { sid: endedSession })).token,
    revokedGrant: revoked.token,
    deactivated: await tokenOf(ours.deactivated),
    removed: await tokenOf(ours.removed),
    intruder: await tokenOf(theirs.org.owner, org.id),
    keyOfOrganization: ours.accessKey,
  };
}

describe.each(Object.keys(mcpTools) as McpToolName[])('%s', (name) => {
  test.each(members)('answers %s according to the matrix, and reveals nothing of another organization', async (who) => {
    const { code = 'ok', text } = await callTool(server, tokens[who], name, inputOf(name));
    expect(code).toBe(matrix[name][who]);
    if (who !== 'otherOwner') return;
    for (const secret of ['quokka', ours.org.id, ours.org.owner.email, ours.contributor.email, ours.repositoryId]) {
      expect(text).not.toContain(secret);
    }
  });
});

test.each(rejected)('rejects %s before a tool runs, and records nothing', async (who) => {
  const countEntries = () =>
    server.services.database.withOrg(ours.org.id, async ({ db }) => {
      const rows = await db.selectFrom('audit_event').select('id').where('action', '=', 'mcp_tool.called').execute();
      return rows.length;
    });
  const before = await countEntries();
  const { status } = await callTool(server, tokens[who], 'what_is_recorded_about_me');
  expect(status).toBe(401);
  expect(await countEntries()).toBe(before);
});
