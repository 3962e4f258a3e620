import { Button } from '@mantine/core';
import type { TriageOutcome } from '@sightline/contract/vulnerabilities/triage.ts';
import { Dialog } from '#ui/Dialog.tsx';
import s from './Triage.module.css';
import type { TriageTarget } from './targets.ts';

interface SkippedProps {
  outcome: TriageOutcome;
  targets: readonly TriageTarget[];
  /** The decision about the other findings: 'dismissed'. */
  done: string;
  onClose: () => void;
}

/** Lists the findings that did not change, with reasons. */
export function SkippedFindings({ outcome: { changed, skipped }, targets, done, onClose }: SkippedProps) {
  const titles = new Map(targets.map(({ id, title }) => [id, title]));
  return (
    <Dialog
      title={changed.length === 0 ? 'No changes' : `${changed.length} of ${targets.length} ${done}`}
      opened
      onClose={onClose}
      width={480}
      actions={
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      }
    >
      <p className="dim">{skipped.length === 1 ? 'Not changed:' : 'Not changed:'}</p>
      <ul className={s.skipped}>
        {skipped.map(({ id, reason }) => (
          <li key={id}>
            <b>{titles.get(id) ?? id}</b>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
