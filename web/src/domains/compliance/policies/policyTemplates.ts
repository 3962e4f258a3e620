import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import type { PolicyKind } from '@sightline/contract/compliance/policies.ts';

interface Starter {
  id: string;
  name: string;
  description: string;
  kind: PolicyKind;
  settings: Record<string, ControlSetting>;
}

/** Templates for common policies. */
export const policyTemplates: readonly Starter[] = [
  {
    id: 'four-eyes',
    name: 'Require independent review',
    description:
      'A reviewer who is not the author approves the last push. Direct pushes to the default branch are violations.',
    kind: 'merge',
    settings: { 'CHG-01': { approvals: 1 }, 'CHG-02': {}, 'CHG-03': {} },
  },
  {
    id: 'agents',
    name: 'Review what agents change',
    description:
      'A person who neither contributed nor started the session approves changes with agent contributions, and agents leave workflows alone.',
    kind: 'ai-provenance',
    settings: { 'AI-01': { approvals: 1, protectedPaths: ['.github/workflows/**'] } },
  },
  {
    id: 'limits',
    name: 'Vulnerabilities fixed in time',
    description: 'Critical within 7 days, high within 30, medium within 90, exposed secrets within 3.',
    kind: 'sla',
    settings: { 'VUL-01': {}, 'VUL-02': {} },
  },
  {
    id: 'scanned',
    name: 'Scan before merge',
    description: 'Every change is scanned, and every repository is scanned at least weekly.',
    kind: 'scan-freshness',
    settings: { 'SCN-01': {}, 'SCN-02': {} },
  },
];
