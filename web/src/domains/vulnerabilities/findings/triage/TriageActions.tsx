import { Button, Menu } from '@mantine/core';
import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import {
  IconArrowBackUp,
  IconArrowMerge,
  IconArrowsSplit2,
  IconCalendarClock,
  IconChevronDown,
  IconCircleOff,
  IconTag,
  type TablerIcon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { LazyTriageDialog } from '../LazyTriageDialog.tsx';
import type { TriageRequest } from './targets.ts';

/**
 * The decisions about one finding in a menu, or as a button if there is only one. Waiver requests are decided in
 * `DecisionNotice`.
 */
export function TriageActions({ finding }: { finding: FindingDetail }) {
  const [triage, setTriage] = useState<TriageRequest>();
  const entries = entriesOf(finding);
  const [only, ...others] = entries;
  if (!only) return null;
  return (
    <>
      {others.length === 0 ? (
        <Button onClick={() => setTriage(only.triage)} leftSection={<only.Icon size={15} aria-hidden />}>
          {only.label}
        </Button>
      ) : (
        <Menu position="bottom-end" width={232}>
          <Menu.Target>
            <Button rightSection={<IconChevronDown size={14} aria-hidden />}>Triage</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {entries.map(({ label, Icon, triage: asked }) => (
              <Menu.Item key={label} leftSection={<Icon size={15} aria-hidden />} onClick={() => setTriage(asked)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <LazyTriageDialog triage={triage} onClose={() => setTriage(undefined)} />
    </>
  );
}

interface TriageEntry {
  label: string;
  Icon: TablerIcon;
  triage: TriageRequest;
}

function entriesOf(finding: FindingDetail): TriageEntry[] {
  const { allowed } = finding;
  const targets = [finding];
  const entry = (may: boolean, label: string, Icon: TablerIcon, triage: TriageRequest): TriageEntry[] =>
    may ? [{ label, Icon, triage }] : [];
  return [
    ...entry(allowed.dismiss, 'Dismiss', IconCircleOff, { kind: 'dismiss', targets }),
    ...entry(allowed.reopen, 'Reopen', IconArrowBackUp, { kind: 'reopen', targets }),
    ...entry(allowed.requestWaiver, 'Request waiver', IconCalendarClock, { kind: 'request', targets }),
    ...entry(allowed.edit, 'Assign and label', IconTag, { kind: 'edit', targets }),
    ...entry(allowed.merge, 'Merge with another', IconArrowMerge, { kind: 'merge', finding }),
    ...entry(allowed.split, 'Split', IconArrowsSplit2, { kind: 'split', finding }),
  ];
}
