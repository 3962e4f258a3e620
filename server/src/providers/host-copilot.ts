import type { CopilotActivities, CopilotCounts } from '@sightline/contract/tools/copilot-usage.ts';
import type { Outbound } from '#core/outbound.ts';

/** The counts of one day by feature, by model and feature, or by editor. */
export interface CopilotPart {
  kind: 'feature' | 'model' | 'editor';
  /** Of the feature, model or editor. */
  name: string;
  /** Of a model; otherwise empty. */
  feature: string;
  counts: CopilotActivities;
}

/** The report of one day. It contains numbers and names of features, models and editors, and no persons. */
export interface CopilotReport {
  counts: CopilotCounts;
  parts: readonly CopilotPart[];
}

/** What the files of one day contain. `rejected` counts records and parts that were not understood. */
export interface CopilotReading {
  /** Undefined if no record of the day was understood. */
  report: CopilotReport | undefined;
  rejected: number;
}

/** Reads usage reports of Copilot. */
export interface HostCopilot {
  /**
   * Reads the report of an organization for a day (UTC, `2026-11-27`). Undefined if the host has none. `outbound` downloads its
   * files. Throws the errors of CodeHost; HostRefused 403 without the permission, or if a policy turns the metrics off.
   */
  readDay: (
    place: { installationId: string; organization: string; outbound: Outbound },
    day: string,
  ) => Promise<CopilotReading | undefined>;
}
