import { Button } from '@mantine/core';
import { MAX_EDITED_FINDINGS } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { useState } from 'react';
import type { Selection } from '#lib/selection.ts';
import { SelectionBar } from '#ui/SelectionBar.tsx';
import type { FindingsFilter } from './findingsQuery.ts';
import { LazyTriageDialog } from './LazyTriageDialog.tsx';
import type { TriageRequest } from './triage/targets.ts';
import { useTriageRights } from './useTriageRights.ts';

interface FindingSelectionBarProps {
  selection: Selection<Finding>;
  /** The filter of the list, for an edit of all matching findings. */
  filter: FindingsFilter;
  total: number;
}

/** Offers decisions about all selected findings, and edits of all that match the filters. */
export function FindingSelectionBar({ selection, filter, total }: FindingSelectionBarProps) {
  const [triage, setTriage] = useState<TriageRequest>();
  const rights = useTriageRights();
  const targets = [...selection.chosen.values()];
  const ask = (kind: 'dismiss' | 'reopen' | 'request') => setTriage({ kind, targets });
  // Decisions need the findings, edits only their filter.
  const hasStatus = (...statuses: string[]) =>
    !selection.everything && targets.some(({ status }) => statuses.includes(status));
  const edit = () =>
    setTriage({ kind: 'edit', targets, ...(selection.everything && { everything: { filter, total } }) });
  return (
    <>
      <SelectionBar
        noun="vulnerabilities"
        selection={selection}
        total={total}
        maxTotal={rights.decide ? MAX_EDITED_FINDINGS : 0}
      >
        {rights.decide && (
          <Button variant="default" onClick={edit}>
            Assign and label
          </Button>
        )}
        {rights.decide && hasStatus('open') && (
          <Button variant="default" onClick={() => ask('dismiss')}>
            Dismiss
          </Button>
        )}
        {rights.request && hasStatus('open') && (
          <Button variant="default" onClick={() => ask('request')}>
            Request waiver
          </Button>
        )}
        {rights.decide && hasStatus('dismissed', 'exception') && (
          <Button variant="default" onClick={() => ask('reopen')}>
            Reopen
          </Button>
        )}
      </SelectionBar>
      <LazyTriageDialog triage={triage} onClose={() => setTriage(undefined)} onDone={selection.clear} />
    </>
  );
}
