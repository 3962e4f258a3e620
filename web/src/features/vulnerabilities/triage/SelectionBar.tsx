import { Button, CloseButton } from '@mantine/core';
import type { Finding } from '@sightline/contract/findings.ts';
import { useState } from 'react';
import { offersFor } from './offers.ts';
import s from './SelectionBar.module.css';
import { TriageDialog } from './TriageDialog.tsx';
import type { Triage } from './targets.ts';
import { useTriageRights } from './useTriageRights.ts';

interface Props {
  /** At most 500 are decided at once. */
  selected: readonly Finding[];
  onClear: () => void;
}

/** What can be done with the rows that are selected; stays at the lower edge of the window. */
export function SelectionBar({ selected, onClear }: Props) {
  const [triage, setTriage] = useState<Triage>();
  const offers = offersFor(selected, useTriageRights());
  return (
    <>
      {selected.length > 0 && (
        <section className={s.bar} aria-label="Selection">
          <p className={s.count} role="status">
            {selected.length} selected
          </p>
          {offers.map(({ kind, label, Icon, findings }) => (
            <Button
              key={kind}
              variant="default"
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => setTriage({ kind, targets: findings })}
            >
              {findings.length === selected.length ? label : `${label} ${findings.length}`}
            </Button>
          ))}
          <CloseButton aria-label="Clear the selection" onClick={onClear} />
        </section>
      )}
      <TriageDialog triage={triage} onClose={() => setTriage(undefined)} onDone={onClear} />
    </>
  );
}
