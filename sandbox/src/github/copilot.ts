import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Host } from './host.ts';
import { notFound, refuse } from './refusal.ts';
import { requireInstallation } from './tokens.ts';

/** The Copilot usage metrics of an organization. */
type Usage = {
  /** The policy "Copilot usage metrics" of the enterprise. */
  isOff: boolean;
  /** The text of the files of each day: NDJSON or JSON arrays. */
  files: Map<string, string[]>;
};

const LINK_MS = 600_000;
const MAX_AGE_DAYS = 365;
const dayMs = 86_400_000;

const usages = new WeakMap<Host, Map<string, Usage>>();
const links = new WeakMap<Host, Map<string, { text: string; until: number }>>();

/** The usage metrics of an organization, which are empty until the control sets them. */
const usageOf = (host: Host, organization: string): Usage => {
  const known = usages.get(host) ?? new Map<string, Usage>();
  usages.set(host, known);
  const usage = known.get(organization.toLowerCase()) ?? { isOff: false, files: new Map() };
  known.set(organization.toLowerCase(), usage);
  return usage;
};

/** Download links for the report of a day, as https://docs.github.com/en/rest/copilot/copilot-usage-metrics describes them. */
export const copilotRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Params: { org: string }; Querystring: { day?: string } }>(
    '/orgs/:org/copilot/metrics/reports/organization-1-day',
    async (request, reply) => {
      const { installation } = requireInstallation(host, request);
      const { org } = request.params;
      if (installation.account.login.toLowerCase() !== org.toLowerCase()) throw notFound();
      const usage = usageOf(host, org);
      if (usage.isOff) throw refuse(403, 'Copilot usage metrics are disabled for this organization.');
      const { day = '' } = request.query;
      const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
      if (Number.isNaN(at)) throw refuse(422, 'Invalid request.\n\nday is not a date.');
      if (at < Date.now() - (MAX_AGE_DAYS + 1) * dayMs) throw notFound();
      const files = usage.files.get(day);
      if (files === undefined) return reply.code(204).send();
      return { download_links: files.map((text) => linkTo(host, text)), report_day: day };
    },
  );
};

/** A signed link: its holder may download the file for some minutes. */
const linkTo = (host: Host, text: string): string => {
  const signature = randomBytes(24).toString('base64url');
  const until = Date.now() + LINK_MS;
  links.set(host, (links.get(host) ?? new Map()).set(signature, { text, until }));
  return `${host.url}/copilot-usage-reports/report.json?se=${until}&sig=${signature}`;
};

/** The storage behind the links. */
export const copilotFiles = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: { sig?: string } }>('/copilot-usage-reports/report.json', async (request, reply) => {
    const file = links.get(host)?.get(request.query.sig ?? '');
    if (file === undefined || file.until < Date.now())
      return reply.code(403).type('text/plain').send('Signature not valid.');
    return reply.type('application/octet-stream').send(file.text);
  });
};

type ReportSetting = {
  organization: string;
  isOff?: boolean;
  /** By day: the text of each file, or null to remove the report. */
  reports?: Record<string, string[] | null>;
  /** Creates plausible reports of the days before today. */
  days?: number;
};

/** Sets the files of a day, also larger ones than the control accepts. */
export const setCopilotFiles = (host: Host, organization: string, day: string, files: string[]): void => {
  usageOf(host, organization).files.set(day, files);
};

/** Sets reports and the policy, for tests and the demo. */
export const copilotControl = (server: FastifyInstance, host: Host): void => {
  server.post<{ Body: ReportSetting }>('/copilot-usage', { schema: { body: controlSchema } }, async (request) => {
    const { organization, isOff, reports = {}, days = 0 } = request.body;
    const usage = usageOf(host, organization);
    usage.isOff = isOff ?? usage.isOff;
    for (const [day, files] of Object.entries(reports)) {
      if (files === null) usage.files.delete(day);
      else usage.files.set(day, files);
    }
    // GitHub processes a day within two days.
    for (let back = 2; back < days + 2; back += 1) {
      const day = new Date(Date.now() - back * dayMs).toISOString().slice(0, 10);
      usage.files.set(day, [`${JSON.stringify(plausibleRecord(day))}\n`]);
    }
    return { isOff: usage.isOff, days: [...usage.files.keys()].sort() };
  });
};

const controlSchema = {
  type: 'object',
  required: ['organization'],
  additionalProperties: false,
  properties: {
    organization: { type: 'string', minLength: 1, maxLength: 100 },
    isOff: { type: 'boolean' },
    reports: { type: 'object' },
    days: { type: 'integer', minimum: 0, maximum: MAX_AGE_DAYS },
  },
};

/** Shares of the use by model and feature. Completions name no model that a user selects. */
const shares = [
  { model: 'default', feature: 'code_completion', share: 0.5 },
  { model: 'claude-sonnet-5', feature: 'agent_edit', share: 0.2 },
  { model: 'gpt-5.2', feature: 'agent_edit', share: 0.1 },
  { model: 'gpt-5.2', feature: 'chat_panel_ask_mode', share: 0.12 },
  { model: 'claude-sonnet-5', feature: 'chat_panel_agent_mode', share: 0.08 },
] as const;
const editors = [
  { ide: 'vscode', share: 0.7 },
  { ide: 'intellij', share: 0.3 },
] as const;

/** The record of a day in the format of GitHub. The same day always has the same record, and a weekend little use. */
export const plausibleRecord = (day: string) => {
  const at = Date.parse(day);
  const [weekday, wave] = [new Date(at).getUTCDay(), (at / dayMs) % 9];
  const people = weekday === 0 || weekday === 6 ? 2 : 9 + (wave % 4);
  const size = people * (14 + wave);
  return {
    day,
    organization_id: '4242',
    daily_active_users: people,
    weekly_active_users: 14,
    monthly_active_users: 17,
    monthly_active_chat_users: 12,
    monthly_active_agent_users: 9,
    daily_active_cli_users: Math.floor(people / 3),
    ...activityOf(size, 'chat'),
    pull_requests: {
      total_created: people + 3,
      total_reviewed: people + 1,
      total_merged: people,
      total_created_by_copilot: Math.floor(people / 4),
      total_merged_created_by_copilot: Math.floor(people / 6),
      total_reviewed_by_copilot: Math.floor(people / 2),
    },
    totals_by_feature: [...Map.groupBy(shares, ({ feature }) => feature)].map(([feature, some]) => ({
      feature,
      ...activityOf(size * some.reduce((sum, { share }) => sum + share, 0), feature),
    })),
    totals_by_model_feature: shares.map(({ model, feature, share }) => ({
      model,
      feature,
      ...activityOf(size * share, feature),
    })),
    totals_by_ide: editors.map(({ ide, share }) => ({ ide, ...activityOf(size * share, 'chat') })),
    totals_by_language_feature: [],
    totals_by_language_model: [],
  };
};

const activityOf = (size: number, feature: string) => ({
  user_initiated_interaction_count: feature === 'code_completion' ? 0 : Math.floor(size / 3),
  code_generation_activity_count: Math.floor(size),
  code_acceptance_activity_count: Math.floor(size * 0.38),
  loc_suggested_to_add_sum: Math.floor(size * 5.5),
  loc_suggested_to_delete_sum: Math.floor(size * 0.9),
  loc_added_sum: Math.floor(size * 3.1),
  loc_deleted_sum: Math.floor(size * 0.7),
});
