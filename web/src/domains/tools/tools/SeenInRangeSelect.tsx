import { Button, Popover, TextInput } from '@mantine/core';
import { activeRanges } from '@sightline/contract/tools/tools.ts';
import { IconCalendar, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { isDay, rangeLabels, toolRangeText } from './ranges.ts';
import s from './Tools.module.css';
import type { ToolsQuery } from './toolsQuery.ts';

interface SeenInRangeSelectProps {
  query: ToolsQuery;
  setQuery: (patch: Partial<ToolsQuery>) => void;
}

/**
 * Selects the time range in which tools were seen: a predefined one, or two inclusive days in UTC. Used by the tools
 * page and by the tools of a repository.
 */
export function SeenInRangeSelect({ query, setQuery }: SeenInRangeSelectProps) {
  const [opened, setOpened] = useState(false);
  const { activeRange, from, to } = query;
  const setDay = (name: 'from' | 'to', value: string) => {
    if (value === '' || isDay(value))
      setQuery({ activeRange: 'custom', from, to, [name]: value === '' ? undefined : value });
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={256} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendar size={15} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          Seen: {toolRangeText(activeRange, query)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time range">
        <div className={s.ranges}>
          {activeRanges.flatMap((range) =>
            range === 'custom' ? (
              []
            ) : (
              <Button
                key={range}
                className={s.range}
                variant="subtle"
                justify="space-between"
                aria-pressed={range === activeRange}
                rightSection={range === activeRange && <IconCheck size={14} aria-hidden />}
                onClick={() => {
                  setOpened(false);
                  setQuery({ activeRange: range, from: undefined, to: undefined });
                }}
              >
                {rangeLabels[range]}
              </Button>
            ),
          )}
          <fieldset className={s.days}>
            <legend className={s.legend}>Custom range, days in UTC</legend>
            <TextInput
              type="date"
              label="From"
              value={from ?? ''}
              max={to ?? ''}
              onChange={({ currentTarget }) => setDay('from', currentTarget.value)}
            />
            <TextInput
              type="date"
              label="To"
              value={to ?? ''}
              min={from ?? ''}
              onChange={({ currentTarget }) => setDay('to', currentTarget.value)}
            />
          </fieldset>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
