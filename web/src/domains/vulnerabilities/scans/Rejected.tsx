import { UnstyledButton } from '@mantine/core';
import type { Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import { useState } from 'react';
import { Dialog } from '#ui/Dialog.tsx';
import s from './Scans.module.css';

/** Shows the number of skipped results; expanded, each with its position in the file and the reason. */
export function SkippedResults({ scan: { counts, rejected, tool } }: { scan: Scan }) {
  const [open, setOpen] = useState(false);
  const count = counts?.rejected ?? rejected.length;
  if (count === 0) return null;
  return (
    <>
      <UnstyledButton className={s.link ?? ''} onClick={() => setOpen(true)}>
        {count.toLocaleString('en')} skipped: view reasons
      </UnstyledButton>
      <Dialog title={`Skipped results of ${tool.name}`} opened={open} onClose={() => setOpen(false)} width={640}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be scrollable by keyboard */}
        <ul className={s.rejected} tabIndex={0} aria-label="Skipped">
          {rejected.map(({ place, reason }) => (
            <li key={place}>
              <span className="mono">{place}</span> {reason}
            </li>
          ))}
        </ul>
        {count > rejected.length && (
          <p className={s.meta}>
            The first {rejected.length} of {count.toLocaleString('en')}.
          </p>
        )}
      </Dialog>
    </>
  );
}
