import { Button } from '@mantine/core';
import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { useState } from 'react';
import type { Selection } from '#lib/selection.ts';
import { SelectionBar } from '#ui/SelectionBar.tsx';
import { LazyTriageDialog } from './LazyTriageDialog.tsx';
import type { TriageRequest } from './triage/targets.ts';
import { useTriageRights } from './useTriageRights.ts';

/** Offers decisions about all selected findings. */
export function FindingSelectionBar({ selection, total }: { selection: Selection<Finding>; total: number }) {
  const [triage, setTriage] = useState<TriageRequest>();
  const rights = useTriageRights();
  const targets = [...selection.chosen.values()];
  const ask = (kind: 'dismiss' | 'reopen' | 'request') => setTriage({ kind, targets });
  const hasStatus = (...statuses: string[]) => targets.some(({ status }) => statuses.includes(status));
  return (
    <>
      <SelectionBar noun="vulnerabilities" selection={selection} total={total}>
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
