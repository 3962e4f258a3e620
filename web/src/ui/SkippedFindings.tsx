import { Button } from '@mantine/core';
import type { TriageOutcome } from '@sightline/contract/vulnerabilities/triage.ts';
import { Dialog } from './Dialog.tsx';
import s from './SkippedFindings.module.css';

interface SkippedProps {
  outcome: TriageOutcome;
  findings: readonly { id: string; title: string }[];
  /** The decision about the other findings: 'dismissed'. */
  done: string;
  onClose: () => void;
}

/** Lists the findings that did not change, with reasons. */
export function SkippedFindings({ outcome: { changed, skipped }, findings, done, onClose }: SkippedProps) {
  const titles = new Map(findings.map(({ id, title }) => [id, title]));
  return (
    <Dialog
      title={changed.length === 0 ? 'No changes' : `${changed.length} of ${findings.length} ${done}`}
      opened
      onClose={onClose}
      width={480}
      actions={
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      }
    >
      <p className="dim">Not changed:</p>
      <ul className={s.list}>
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
