import { getChangeAgents } from '@sightline/contract/compliance/agent-reconciliation.ts';
import { createPolicy, dryRunProposedPolicy } from '@sightline/contract/compliance/policies.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startWorld } from '../changes/changes.fixture.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.close());

const later = { timeout: 30_000, interval: 200 };
const statusOf = (sha: string) =>
  world.github.sandbox.host.repositories[0]?.git.planted.checks
    .filter((check) => check.isStatus && check.name === 'sightline/policy' && check.sha === sha)
    .at(-1)?.conclusion;
const configuration = (name: string) => JSON.stringify({ mcpServers: { hub: { command: 'npx', args: [name] } } });

test('an enforced agent policy fails a pull request that configures another MCP server, and waits for unknown facts', {
  timeout: 120_000,
}, async () => {
  const { server, acme, control, numberOf, story, github, recordOf } = world;
  const owner = server.as(acme.owner, acme.id);
  const number = numberOf('three');
  const rules = {
    kind: 'ai-provenance' as const,
    scope: { repositories: null, branches: [], tools: [] },
    settings: { 'AI-01': { mcpServers: ['npm:@acme/*'], protectedPaths: ['infra/**'] } },
  };
  await owner(dryRunProposedPolicy, { body: rules });
  await owner(createPolicy, { body: { ...rules, name: 'Agent rules', mode: 'enforce' } });

  const push = async (files: Record<string, string>) => {
    const message = 'Configure\n\nCo-authored-by: Claude <noreply@anthropic.com>';
    await control('push', { branch: 'three', by: 'bob', message, files });
    const head = story.git(['rev-parse', 'three']);
    await control('review', { number, by: 'ada' });
    return head;
  };
  const other = await push({ '.mcp.json': configuration('other-server') });
  await vi.waitFor(() => expect(statusOf(other)).toBe('failure'), later);
  const comment = () => github.sandbox.host.comments.all.find((one) => one.number === number)?.body;
  await vi.waitFor(() => expect(comment()).toContain('an MCP server that is not allowed'), later);

  const allowed = await push({ '.mcp.json': configuration('@acme/server') });
  // Pending.
  await vi.waitFor(() => expect(statusOf(allowed)).toBe(null), later);

  await control('merge', { number, by: 'ada' });
  const record = await recordOf(number);
  expect(record.parts).toMatchObject({
    pathMatches: { state: 'complete', value: [{ pattern: 'infra/**', isTouched: false }] },
    configuredServers: { state: 'complete', value: ['npm:@acme/server'] },
    changedLines: { state: 'complete' },
    agents: { value: [{ agent: 'Claude', models: { state: 'missing' }, mcpServers: { state: 'missing' } }] },
  });
  const { policy, configuredServers } = await owner(getChangeAgents, { params: { id: record.id } });
  expect(configuredServers).toEqual(['npm:@acme/server']);
  expect(policy).toMatchObject({
    verdict: 'missing_evidence',
    policy: { name: 'Agent rules', version: 1, mode: 'enforce' },
    rules: { mcpServers: ['npm:@acme/*'], approvals: 1, protectedPaths: ['infra/**'] },
  });
  expect(policy?.explanations.map(({ code }) => code)).toEqual(['mcp_servers_unknown']);

  const { controls } = await owner(dryRunProposedPolicy, {
    body: { ...rules, settings: { 'AI-01': { protectedPaths: ['three.*'] } } },
  });
  expect(controls).toMatchObject([{ control: 'AI-01', before: { missing_evidence: 1 }, after: { fail: 1 } }]);
});
