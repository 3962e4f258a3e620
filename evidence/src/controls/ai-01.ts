import { approvalPoints } from './approval.ts';
import type { AgentChangeRow } from './change-rows.ts';
import { control } from './control.ts';
import { excusesAt } from './excuses.ts';
import { told, whole } from './known.ts';
import { branches, isInScope } from './scope.ts';
import { settle } from './verdicts.ts';

/**
 * Where an agent certainly wrote and certainly no independent human approved, that is an exception, whatever else is not
 * attributed. What is only inferred, or attributed by nobody, is never more than a gap.
 */
export const ai01 = control<AgentChangeRow>()({
  id: 'AI-01',
  title: 'Agents’ changes declared and reviewed by humans',
  rule: 'Every change that an agent wrote for is approved by a human who did not start the agent’s session.',
  population:
    'Every change into a branch in scope in the period that agents wrote lines of, and every change of a repository for which nothing attributes lines to agents.',
  verdicts: {
    pass: 'That an agent wrote it was declared or observed, and it has an independent approval as CHG-01 counts it, which no owner of an agent’s session can give.',
    exception: 'That an agent wrote it was declared or observed, and it has none.',
    gap: 'That an agent wrote it is only inferred, no source of attribution is connected for the repository, or what CHG-01 needs is not known.',
  },
  parameters: { branches },
  crosswalk: {
    soc2: ['CC8.1'],
    iso27001: ['A.8.28', 'A.8.30'],
    ssdf: ['PW.7'],
    pci: ['6.2.3'],
    cis: ['16.1'],
    samm: ['G-PC'],
  },
  sources: ['attribution', 'pull_requests', 'identities', 'members'],
  happenedAt: ({ mergedAt }) => mergedAt,
  belongs: (row, setting) => isInScope(row, setting.branches) && mayBeByAgents(row),
  judge: (row) => {
    const isCertain = told(row.attributions).some(({ lines, confidence }) => lines > 0 && confidence !== 'inferred');
    const { exceptions, gaps } = approvalPoints(row, 1);
    return settle({
      exceptions: isCertain ? exceptions : [],
      gaps: [
        ...(whole(row.attributions) === undefined ? (['attribution_missing'] as const) : []),
        ...(whole(row.attributions) !== undefined && !isCertain ? (['agent_only_inferred'] as const) : []),
        ...(isCertain ? gaps : []),
      ],
      passes: ['independent_approval'],
      excuses: excusesAt(row.approved, row.mergedAt),
    });
  },
});

const mayBeByAgents = ({ attributions }: AgentChangeRow): boolean =>
  attributions.state !== 'complete' || attributions.value.some(({ lines }) => lines > 0);
