import type { ControlSetting } from '@sightline/contract/compliance/controls.ts';
import type { PolicyKind } from '@sightline/contract/compliance/policies.ts';

interface Starter {
  id: string;
  name: string;
  says: string;
  kind: PolicyKind;
  settings: Record<string, ControlSetting>;
}

/** What most organisations begin with. */
export const starters: readonly Starter[] = [
  {
    id: 'four-eyes',
    name: 'Four eyes on every change',
    says: 'Somebody other than the author approves the last push, and nothing reaches the default branch around a pull request.',
    kind: 'merge',
    settings: { 'CHG-01': { approvals: 1 }, 'CHG-02': {}, 'CHG-03': {} },
  },
  {
    id: 'limits',
    name: 'Vulnerabilities fixed in time',
    says: 'Critical ones within 7 days, high within 30, medium within 90; leaked secrets within 3.',
    kind: 'sla',
    settings: { 'VUL-01': {}, 'VUL-02': {} },
  },
  {
    id: 'scanned',
    name: 'Scanned before it is merged',
    says: 'Every change is scanned, and every repository has been looked at within a week.',
    kind: 'scan-freshness',
    settings: { 'SCN-01': {}, 'SCN-02': {} },
  },
];
