import type { CopilotActivities, CopilotActivity, CopilotCounts } from '@sightline/contract/tools/copilot-usage.ts';
import { z } from 'zod';
import type { CopilotPart, CopilotReading } from '#providers/host-copilot.ts';

// https://docs.github.com/en/copilot/reference/copilot-usage-metrics/example-schema
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).nullish();
// A name without spaces, such as `code_completion`, `gpt-5.2` or `vscode`: no field can hold a sentence.
const name = z.string().regex(/^[\w.:+/-]{1,100}$/);

const activityFields = {
  user_initiated_interaction_count: 'interactions',
  code_generation_activity_count: 'generations',
  code_acceptance_activity_count: 'acceptances',
  loc_suggested_to_add_sum: 'linesSuggested',
  loc_suggested_to_delete_sum: 'linesSuggestedToDelete',
  loc_added_sum: 'linesAdded',
  loc_deleted_sum: 'linesDeleted',
} as const satisfies Record<string, CopilotActivity>;

const activities = z.object({
  user_initiated_interaction_count: count,
  code_generation_activity_count: count,
  code_acceptance_activity_count: count,
  loc_suggested_to_add_sum: count,
  loc_suggested_to_delete_sum: count,
  loc_added_sum: count,
  loc_deleted_sum: count,
});

const parts = z.array(z.unknown()).nullish();
const record = activities.extend({
  day: z.iso.date(),
  daily_active_users: count,
  weekly_active_users: count,
  monthly_active_users: count,
  monthly_active_chat_users: count,
  monthly_active_agent_users: count,
  daily_active_cli_users: count,
  pull_requests: z
    .object({
      total_created_by_copilot: count,
      total_merged_created_by_copilot: count,
      total_reviewed_by_copilot: count,
    })
    .nullish(),
  totals_by_feature: parts,
  totals_by_model_feature: parts,
  totals_by_ide: parts,
});

const part = activities.extend({ feature: name.optional(), model: name.optional(), ide: name.optional() });
const partSchemas = {
  feature: part.required({ feature: true }),
  model: part.required({ model: true, feature: true }),
  editor: part.required({ ide: true }),
} as const;

/** The items of a file: NDJSON, or one JSON array. An item that is no JSON is undefined. */
export function itemsOfFile(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) {
    const items = jsonOf(trimmed);
    return Array.isArray(items) ? items : [undefined];
  }
  return trimmed
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(jsonOf);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the record of a day. Other days, further records of the day and what is not understood are counted. */
export function copilotReadingFrom(items: readonly unknown[], day: string): CopilotReading {
  const records = items.flatMap((item) => {
    const { data } = record.safeParse(item);
    return data?.day === day ? [data] : [];
  });
  const [first] = records;
  if (!first) return { report: undefined, rejected: items.length };
  const found = [
    ...(first.totals_by_feature ?? []).map((item) => partFrom('feature', item)),
    ...(first.totals_by_model_feature ?? []).map((item) => partFrom('model', item)),
    ...(first.totals_by_ide ?? []).map((item) => partFrom('editor', item)),
  ];
  const known = new Map(found.flatMap((part) => (part ? [[`${part.kind} ${part.name} ${part.feature}`, part]] : [])));
  const { pull_requests: pulls } = first;
  const counts = reported({
    dailyUsers: first.daily_active_users,
    weeklyUsers: first.weekly_active_users,
    monthlyUsers: first.monthly_active_users,
    monthlyChatUsers: first.monthly_active_chat_users,
    monthlyAgentUsers: first.monthly_active_agent_users,
    dailyCliUsers: first.daily_active_cli_users,
    ...activitiesOf(first),
    pullRequestsCreated: pulls?.total_created_by_copilot,
    pullRequestsMerged: pulls?.total_merged_created_by_copilot,
    pullRequestsReviewed: pulls?.total_reviewed_by_copilot,
  });
  return {
    report: { counts, parts: [...known.values()] },
    rejected: items.length - 1 + found.length - known.size,
  };
}

function partFrom(kind: CopilotPart['kind'], item: unknown): CopilotPart | undefined {
  const { data } = partSchemas[kind].safeParse(item);
  if (!data) return undefined;
  const counts = activitiesOf(data);
  if (kind === 'model') return { kind, name: data.model ?? '', feature: data.feature ?? '', counts };
  return { kind, name: (kind === 'editor' ? data.ide : data.feature) ?? '', feature: '', counts };
}

const activitiesOf = (data: z.output<typeof activities>): CopilotActivities =>
  reported(
    Object.fromEntries(
      Object.entries(activityFields).map(([field, activity]) => [activity, data[field as keyof typeof activityFields]]),
    ),
  );

/** Without missing counts. */
const reported = (counts: Readonly<Record<string, number | null | undefined>>): CopilotCounts =>
  Object.fromEntries(Object.entries(counts).filter(([, value]) => value != null));
