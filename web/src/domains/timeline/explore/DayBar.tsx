import { ActionIcon, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useFlag } from '#lib/flags.ts';
import { showShortcuts } from '#lib/shortcuts.ts';
import s from './Timeline.module.css';
import type { TimelineModel } from './timelineModel.ts';

interface DayBarProps {
  name: string;
  /** The number of events of the day; undefined until all of them are loaded. */
  count: number | undefined;
}

/** Shows the current day above the list. */
export function DayBar({ name, count, model }: DayBarProps & { model: TimelineModel }) {
  const debugging = useFlag('exploreDebuggingUi');
  return (
    <div className={s.bar}>
      <h2 className={s.date}>
        {name}
        {count !== undefined && <span className={s.count}>{counted(count)}</span>}
        {debugging && (
          <span className={s.count}>
            {counted(model.events)} loaded, {model.duplicates} {model.duplicates === 1 ? 'duplicate' : 'duplicates'}
          </span>
        )}
      </h2>
      <Tooltip label="Keyboard shortcuts (?)">
        <ActionIcon className={s.shortcuts ?? ''} aria-label="Keyboard shortcuts" onClick={showShortcuts}>
          <IconKeyboard size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** The heading of a day in the list. */
export const DateRow = ({ name, count }: DayBarProps) => (
  <h2 className={s.date}>
    {name}
    {count !== undefined && <span className={s.count}>{counted(count)}</span>}
  </h2>
);

const counted = (count: number) => (count === 1 ? '1 event' : `${number.format(count)} events`);
const number = new Intl.NumberFormat('en-GB');
