import { Checkbox, Select } from '@mantine/core';
import type { TicketProjects, TicketTarget } from '@sightline/contract/sources/trackers.ts';

interface TicketTargetFieldsProps {
  trackers: TicketProjects | undefined;
  target: TicketTarget | null;
  setTarget: (target: TicketTarget | null) => void;
  /** Number of subjects. */
  count: number;
}

/** Selects where tickets are created. Renders nothing without a connected tracker. */
export function TicketTargetFields({ trackers, target, setTarget, count }: TicketTargetFieldsProps) {
  const first = trackers?.[0];
  if (!trackers || !first) return null;
  const places = trackers.flatMap(({ tracker, title, projects }) =>
    projects.map(({ key, name, types }) => ({
      value: `${tracker} ${key}`,
      label: `${name} (${key}) in ${title}`,
      tracker,
      project: key,
      types,
    })),
  );
  const place = target && places.find(({ value }) => value === `${target.tracker} ${target.project}`);
  const select = (value: string | null) => {
    const chosen = places.find((one) => one.value === value) ?? places[0];
    if (!chosen) return;
    const { tracker, project, types } = chosen;
    setTarget({ tracker, project, type: types[0] ?? null, grouping: target?.grouping ?? 'each' });
  };
  return (
    <>
      <Checkbox
        label={count === 1 ? 'Create a ticket' : 'Create tickets'}
        checked={target !== null}
        onChange={({ currentTarget }) => (currentTarget.checked ? select(null) : setTarget(null))}
      />
      {target && (
        <>
          <Select
            label="Project"
            searchable
            allowDeselect={false}
            data={places.map(({ value, label }) => ({ value, label }))}
            value={place?.value ?? null}
            onChange={select}
          />
          {place && place.types.length > 0 && (
            <Select
              label="Type"
              allowDeselect={false}
              data={place.types}
              value={target.type}
              onChange={(type) => setTarget({ ...target, type })}
            />
          )}
          {count > 1 && (
            <Checkbox
              label="One ticket for all"
              checked={target.grouping === 'one'}
              onChange={({ currentTarget }) =>
                setTarget({ ...target, grouping: currentTarget.checked ? 'one' : 'each' })
              }
            />
          )}
        </>
      )}
    </>
  );
}
