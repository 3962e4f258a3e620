import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { LazyTriageDialog } from './LazyTriageDialog.tsx';
import s from './Selection.module.css';
import type { TriageRequest } from './triage/targets.ts';
import type { FindingSelection } from './useFindingSelection.ts';
import { useTriageRights } from './useTriageRights.ts';

/** Offers decisions about all selected findings at the bottom of the window. */
export function SelectionBar({ selection }: { selection: FindingSelection }) {
  const [triage, setTriage] = useState<TriageRequest>();
  const rights = useTriageRights();
  const targets = [...selection.chosen.values()];
  const ask = (kind: 'dismiss' | 'reopen' | 'request') => setTriage({ kind, targets });
  const hasStatus = (...statuses: string[]) => targets.some(({ status }) => statuses.includes(status));
  return (
    <>
      {targets.length > 0 && (
        <section className={s.bar} aria-label="Selected vulnerabilities">
          <span className={s.count} role="status">
            {targets.length} selected
          </span>
          <div className={s.deeds}>
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
          </div>
          <ActionIcon aria-label="Clear the selection" onClick={selection.clear}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </section>
      )}
      <LazyTriageDialog triage={triage} onClose={() => setTriage(undefined)} onDone={selection.clear} />
    </>
  );
}
