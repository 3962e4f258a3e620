import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { Fragment } from 'react';
import { Panel } from '#ui/Panel.tsx';
import { Face } from '#ui/Person.tsx';
import { absoluteTime } from '#ui/time.ts';
import { ToolMark } from '../toolMarks.tsx';
import s from './History.module.css';

type HistoryEntry = FindingDetail['history'][number];

/** Lists the activity of a finding, newest first: by scanners, people, and expiry. */
export const FindingActivity = ({ finding: { history } }: { finding: FindingDetail }) => (
  <Panel title="Activity" aside={<span className={s.zone}>{zone()}</span>}>
    <ol className={s.history}>
      {history.map((entry) => (
        <li key={`${entry.at} ${entry.kind} ${entry.phrase}`} data-kind={entry.kind}>
          <time dateTime={entry.at} title={absoluteTime(Date.parse(entry.at))}>
            {moment.format(Date.parse(entry.at))}
          </time>
          <div className={s.step}>
            <Mark actor={entry.actor} />
            <p>
              <b>{entry.actor.name}</b> <CommitText words={entry.phrase} />
              {entry.comment && <q className={s.comment}>{entry.comment}</q>}
            </p>
          </div>
        </li>
      ))}
    </ol>
  </Panel>
);

const Mark = ({ actor: { kind, id, name } }: { actor: HistoryEntry['actor'] }) =>
  kind === 'scanner' || kind === 'system' ? (
    <ToolMark tool={id} size={16} />
  ) : (
    <Face name={name} id={kind === 'account' || kind === 'person' ? id : undefined} size={18} />
  );

/** Formats the hash of a commit as code. */
const CommitText = ({ words }: { words: string }) =>
  words.split(/\b([0-9a-f]{7,40})\b/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
    <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>
  ));

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

const zone = () =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName: 'longOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC');
