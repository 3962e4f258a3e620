import type { AttributionSource } from '@sightline/contract/compliance/changes.ts';

/** The source of an attribution, in words. */
export const attributionTexts: Record<AttributionSource, string> = {
  'git-ai': 'by a git-ai note',
  'agent-trace': 'by an Agent Trace record',
  trailer: 'by a commit trailer',
  host: 'by commit account',
  editor: 'by editor telemetry',
};
