import type { Change } from '@sightline/contract/compliance/changes.ts';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Changes.module.css';

const reasonTexts = {
  no_scanner: 'No scanner is connected to this repository.',
  no_run: 'No scanner ran on the merged commit or on the head commit.',
  failed: 'The scanner failed on this commit.',
} as const;

/** Shows the findings that a change introduced and fixed, as reported by scanners. */
export function ChangeScans({ scans }: { scans: NonNullable<Change['scans']> }) {
  if (scans.runs.length === 0) {
    const words = reasonTexts[scans.reason ?? 'no_run'];
    return <p className={scans.reason === 'no_scanner' ? 'dim' : s.gap}>{words}</p>;
  }
  return (
    <ul className={s.list}>
      {scans.runs.map((run) => (
        <li key={`${run.tool.id} ${run.commit} ${run.ref}`}>
          {run.tool.name}: {changeText(run)}
          <span className={s.note}>
            <TimeAgo at={run.finishedAt} />, {run.on === 'merge' ? 'on the merged commit' : 'on the head commit'}
            {run.since !== null && !run.isSinceBase && run.on === 'merge' && (
              <>
                {', since '}
                <code>{run.since.slice(0, 7)}</code>
                {', including commits in between'}
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function changeText({ added, closed, since }: NonNullable<Change['scans']>['runs'][number]): string {
  if (since === null) return `first run, ${number.format(added)} found`;
  return added + closed === 0 ? 'no changes' : `${number.format(added)} new, ${number.format(closed)} closed`;
}

const number = new Intl.NumberFormat('en-GB');
