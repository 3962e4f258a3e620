import type { PopulationRow, ToolDecision } from '@sightline/evidence/controls/rows.ts';
import type { ActivePolicy } from './effective.ts';

/** A sighting as policies would have had it for as long as they are looked at. */
export function decisionsOf(row: PopulationRow, policies: readonly ActivePolicy[], from: string): PopulationRow {
  const toolId = toolOf(row.subject);
  const value = policies.flatMap(({ kind, scope }): ToolDecision[] => {
    const tool = scope.tools.find(({ id }) => id === toolId);
    if (tool === undefined) return [];
    return [{ decision: kind === 'tool-allow' ? 'approved' : 'denied', from, until: null, versions: tool.versions }];
  });
  return Object.assign({}, row, { decisions: { state: 'complete', value } });
}

/** The tool of a sighting, which is named after it and whoever had it: the id of a tool may hold colons. */
export const toolOf = (subject: string): string =>
  subject.replace(/:(?:person|repository):[^:]*$/, '').replace(/^tool:/, '');
