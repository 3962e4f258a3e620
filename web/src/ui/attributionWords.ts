import type { AttributionSource } from '@sightline/contract/compliance/changes.ts';

/** Who says that an agent wrote. */
export const attributionWords: Record<AttributionSource, string> = {
  'git-ai': 'by a git-ai note',
  'agent-trace': 'by an Agent Trace record',
  trailer: 'by a commit trailer',
  host: 'by commit account',
  editor: 'by editor telemetry',
};
