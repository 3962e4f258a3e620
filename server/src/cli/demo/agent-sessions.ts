import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import type { Tx } from '#database/database.ts';
import { type DemoMember, type DemoRun, waitUntil } from './demo-run.ts';

/** Sessions are sent for changes of this time. */
const DAYS = 365;
const MINUTE_MS = 60_000;

interface DemoWork {
  [column: string]: unknown;
  merged_at: Date;
  branch: string;
  url: string;
  name: string;
  email: string;
  agents: string[];
}

/** Creates the key of the organization for telemetry. Requires a sign-in of the last five minutes. */
export async function createTelemetryKey(owner: DemoMember): Promise<string> {
  const { key } = await owner.call(createAccessKey, { body: { name: 'Agent telemetry', use: 'telemetry' } });
  return key;
}

/**
 * Sends the telemetry of sessions for recent changes over OTLP, as agents do: most agents that commits declare are observed,
 * every fifth is not, and every ninth change without a declared agent has a session.
 */
export async function sendAgentSessions({ services, orgId, report }: DemoRun, key: string): Promise<void> {
  const works = await services.database.withOrg(orgId, (tx) => recentWork(tx, orgId));
  const declared = works.filter(({ agents }) => agents.some((agent) => agent in senders));
  const undeclared = works.filter(({ agents }) => agents.length === 0);
  const sent = [...declared.filter((_, index) => index % 5 !== 4), ...undeclared.filter((_, index) => index % 9 === 8)];
  const requests = { logs: [] as unknown[], traces: [] as unknown[] };
  for (const [index, work] of sent.entries()) {
    const agent = work.agents.find((one) => one in senders) ?? 'Claude';
    const { signal, session } = senders[agent as keyof typeof senders];
    requests[signal].push(session(work, index));
  }
  await post(services.config.PUBLIC_URL, key, 'logs', { resourceLogs: requests.logs });
  await post(services.config.PUBLIC_URL, key, 'traces', { resourceSpans: requests.traces });
  report(`${sent.length} sessions`);
}

/** Waits until the sessions are joined to changes. */
export async function waitForSessions({ services, orgId }: DemoRun): Promise<void> {
  await waitUntil('Joining agent sessions', async () => {
    const [row] = await services.database.withOrg(orgId, (tx) =>
      tx.query<{ due: boolean }>({
        name: 'demo.sessions-due',
        text: `select exists (select from reconciled_session where org_id = $1 and queued_at is not null)
                 or exists (select from change_work where org_id = $1 and is_due) as due`,
        values: [orgId],
      }),
    );
    return row?.due ? undefined : true;
  });
}

const recentWork = (tx: Tx, orgId: string): Promise<DemoWork[]> =>
  tx.query<DemoWork>({
    name: 'demo.work',
    text: `select w.merged_at, w.branches[1] as branch, r.html_url as url, r.full_name as name, i.value as email,
             array(select d ->> 'agent' from jsonb_array_elements(w.declared) d order by 1) as agents
           from change_work w join repository r on r.org_id = $1 and r.id = w.repository_id
           join lateral (select value from identity where org_id = $1 and person_id = w.authors[1] and kind = 'email' order by value limit 1) i on true
           where w.org_id = $1 and w.merged_at > now() - make_interval(days => ${DAYS}) order by w.merged_at, w.change_id`,
    values: [orgId],
  });

const attributesOf = (values: Record<string, string | number>) =>
  Object.entries(values).map(([name, value]) => ({
    key: name,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));

/** The address that git clones from. */
const placeOf = ({ url, name, branch }: DemoWork) => ({
  'vcs.repository.url.full': new URL(`/${name}.git`, url).href,
  'vcs.ref.head.name': branch,
});
/** Nanoseconds since 1970, some minutes before the merge. */
const timeBefore = ({ merged_at: merged }: DemoWork, minutes: number) =>
  `${merged.getTime() - minutes * MINUTE_MS}000000`;

/** What agents send of a session: Claude Code logs, GitHub Copilot spans. Every seventh session reports no cost. */
const senders = {
  Claude: {
    signal: 'logs',
    session: (work: DemoWork, index: number) => {
      const common = { 'session.id': `demo-claude-${index}`, 'user.email': work.email };
      const log = (name: string, minutes: number, values: Record<string, string | number>) => ({
        timeUnixNano: timeBefore(work, minutes),
        body: { stringValue: `claude_code.${name}` },
        attributes: attributesOf({ ...common, 'event.name': name, ...values }),
      });
      const usage = {
        input_tokens: 900 + 37 * (index % 50),
        output_tokens: 400 + 11 * (index % 70),
        duration_ms: 2300,
      };
      const records = [
        log('user_prompt', 50, { 'event.sequence': 1, prompt_length: 80 + (index % 200) }),
        log('api_request', 49, {
          'event.sequence': 2,
          model: index % 3 === 0 ? 'claude-opus-4-5' : 'claude-sonnet-5',
          ...usage,
          ...(index % 7 !== 6 && { cost_usd: 0.2 + (index % 40) / 20 }),
        }),
        log('tool_decision', 48, { 'event.sequence': 3, tool_name: 'Edit', decision: 'accept' }),
        log('tool_result', 47, { 'event.sequence': 4, tool_name: 'Edit', success: 'true', duration_ms: 25 }),
      ];
      const resource = { 'service.name': 'claude-code', 'service.version': '2.1.30', ...placeOf(work) };
      return { resource: { attributes: attributesOf(resource) }, scopeLogs: [{ logRecords: records }] };
    },
  },
  Copilot: {
    signal: 'traces',
    session: (work: DemoWork, index: number) => {
      const id = index.toString(16).padStart(16, '0');
      const span = {
        traceId: id.padStart(32, '1'),
        spanId: id.replace(/^0/, '2'),
        name: 'chat gpt-5.2',
        kind: 3,
        startTimeUnixNano: timeBefore(work, 40),
        endTimeUnixNano: timeBefore(work, 39),
        attributes: attributesOf({
          'gen_ai.operation.name': 'chat',
          'gen_ai.conversation.id': `demo-copilot-${index}`,
          'gen_ai.request.model': 'gpt-5.2',
          'gen_ai.usage.input_tokens': 1200 + 31 * (index % 50),
          'gen_ai.usage.output_tokens': 300 + 7 * (index % 50),
          'user.email': work.email,
        }),
        status: {},
      };
      const resource = { 'service.name': 'copilot-chat', 'service.version': '0.36.0', ...placeOf(work) };
      return { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ spans: [span] }] };
    },
  },
} as const;

async function post(url: string, key: string, signal: 'logs' | 'traces', body: object): Promise<void> {
  const response = await fetch(`${url}/v1/${signal}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The server refused telemetry with ${response.status}: ${await response.text()}`);
}
