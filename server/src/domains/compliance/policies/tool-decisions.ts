import type { PopulationRow, ToolDecision } from '@sightline/evidence/controls/rows.ts';
import type { ActivePolicy } from './effective.ts';

/** Returns a tool item with the decisions of the given policies, valid since `from`. */
export function withToolDecisions(row: PopulationRow, policies: readonly ActivePolicy[], from: string): PopulationRow {
  const toolId = toolIdFrom(row.subject);
  const value = policies.flatMap(({ kind, scope }): ToolDecision[] => {
    const tool = scope.tools.find(({ id }) => id === toolId);
    if (tool === undefined) return [];
    return [{ decision: kind === 'tool-allow' ? 'approved' : 'denied', from, until: null, versions: tool.versions }];
  });
  return Object.assign({}, row, { decisions: { state: 'complete', value } });
}

/** The tool id in a subject, which also contains the holder. A tool id may contain colons. */
export const toolIdFrom = (subject: string): string =>
  subject.replace(/:(?:person|repository):[^:]*$/, '').replace(/^tool:/, '');
