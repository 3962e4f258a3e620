import { LinkTabs } from '#ui/LinkTabs.tsx';

const base = '/agent-reconciliation';
const tabs = [
  { label: 'Changes', href: base },
  { label: 'Declared only', href: `${base}?status=declared_only` },
  { label: 'Observed only', href: `${base}?status=observed_only` },
  { label: 'Agents', href: `${base}/agents` },
  { label: 'Models', href: `${base}/models` },
  { label: 'People', href: `${base}/people` },
];

/** The views of the agent reconciliation: its changes, both differences, and its groupings. */
export const ReconciliationTabs = ({ current }: { current: string }) => (
  <LinkTabs label="Agent reconciliation" tabs={tabs} current={current} />
);
