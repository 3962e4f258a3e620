import type { FailureKind, JobState } from '@sightline/contract/platform/operator.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const jobStateBadges: Record<JobState, readonly [Tone, string]> = {
  waiting: ['gray', 'Queued'],
  running: ['blue', 'Running'],
  retrying: ['yellow', 'Retrying'],
  failed: ['red', 'Failed'],
  canceled: ['gray', 'Canceled'],
};

export const failureKindLabels: Record<FailureKind, string> = {
  import: 'Import',
  host_webhook: 'Webhook from a code host',
  webhook: 'Outgoing webhook',
  chat: 'Chat channel',
  audit_stream: 'Audit log stream',
  evidence_delivery: 'Evidence delivery',
};

/** A duration as one unit: '45 s', '12 min', '3 h', '2 d'. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
