import type { AttributionSource } from '@sightline/contract/compliance/changes.ts';

/** Who says that an agent wrote. */
export const attributionWords: Record<AttributionSource, string> = {
  'git-ai': 'by a note of git-ai',
  'agent-trace': 'by an Agent Trace record',
  trailer: 'by the commit’s trailer',
  host: 'by whose account it was',
  editor: 'as an editor told',
};
