import { Button, NativeSelect } from '@mantine/core';
import {
  type FrameworkDetails,
  type FrameworkRequirement,
  type FrameworkStatus,
  frameworkStatus,
} from '@sightline/contract/compliance/frameworks.ts';
import { boundedText } from '@sightline/contract/core/text.ts';
import { IconPencil, IconRoute } from '@tabler/icons-react';
import { z } from 'zod';
import { useUrlQuery } from '#lib/url-query.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { statusBadges, statusOrder } from '#ui/verdicts.ts';
import s from './Frameworks.module.css';
import { dueLabel, intervalLabel, shortIntervalLabel, statusMarks } from './frameworkLabels.ts';

const query = z.object({
  search: boundedText(100).default(''),
  coverage: z.enum(['covered', 'none']).optional(),
  status: frameworkStatus.optional(),
});
type Filter = z.output<typeof query>;

interface RequirementsTableProps {
  framework: FrameworkDetails;
  period: string;
  isStale: boolean;
  onEdit?: (row: FrameworkRequirement) => void;
  onMap?: (row: FrameworkRequirement) => void;
}

/** Lists the requirements, each with its controls and their status in each interval as a heat map. */
export function RequirementsTable({ framework, period, isStale, onEdit, onMap }: RequirementsTableProps) {
  const [filter, setFilter] = useUrlQuery(query);
  const controls = new Map(framework.controls.map((control) => [control.id, control]));
  const rows = framework.rows.filter((row) => isShown(row, filter, (id) => controls.get(id)?.status));
  const { intervals } = framework;
  return (
    <div>
      <Filters>
        <SearchBox
          label="Search requirements"
          value={filter.search}
          onChange={(search) => setFilter({ search })}
          width={240}
        />
        <NativeSelect
          aria-label="Coverage"
          data={coverages}
          value={filter.coverage ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setFilter({ coverage: value === '' ? undefined : (value as Filter['coverage']) })
          }
        />
        <NativeSelect
          aria-label="Status of a control"
          data={[
            { value: '', label: 'All statuses' },
            ...statusOrder.map((status) => ({ value: status, label: statusBadges[status][1] })),
          ]}
          value={filter.status ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setFilter({ status: value === '' ? undefined : (value as FrameworkStatus) })
          }
        />
      </Filters>
      <Legend />
      <Panel flush>
        {rows.length === 0 ? (
          <Empty
            kind="no-match"
            title="No requirements match these filters"
            action={
              <Button
                variant="default"
                onClick={() => setFilter({ search: '', coverage: undefined, status: undefined })}
              >
                Clear filters
              </Button>
            }
          />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keyboard too
          <section className={s.scroll} aria-label="Requirements" tabIndex={0}>
            <table className={s.table} data-stale={isStale || undefined}>
              <caption className="vh">Requirements of {framework.name} with the status of their controls</caption>
              <thead>
                <tr>
                  <th scope="col">Requirement</th>
                  <th scope="col">Control</th>
                  <th scope="col">Status</th>
                  {intervals.starts.map((start) => (
                    <th scope="col" key={start} className={s.interval}>
                      <span aria-hidden>{shortIntervalLabel(start, intervals)}</span>
                      <span className="vh">{intervalLabel(start, intervals)}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              {rows.map((row) => (
                <Requirement
                  key={row.id}
                  row={row}
                  framework={framework}
                  period={period}
                  {...(onEdit && { onEdit })}
                  {...(onMap && { onMap })}
                />
              ))}
            </table>
          </section>
        )}
      </Panel>
    </div>
  );
}

const coverages = [
  { value: '', label: 'All requirements' },
  { value: 'covered', label: 'With a control' },
  { value: 'none', label: 'Without a control' },
];

function isShown(
  { id, title, controls }: FrameworkRequirement,
  { search, coverage, status }: Filter,
  statusOf: (control: FrameworkRequirement['controls'][number]['id']) => FrameworkStatus | undefined,
): boolean {
  const text = search.trim().toLowerCase();
  return (
    `${id} ${title}`.toLowerCase().includes(text) &&
    (coverage === undefined || (coverage === 'covered') === controls.length > 0) &&
    (status === undefined || controls.some((control) => statusOf(control.id) === status))
  );
}

const Legend = () => (
  <ul className={s.legend} aria-label="Legend">
    {statusOrder.map((status) => (
      <li key={status}>
        <Mark status={status} /> {statusBadges[status][1]}
      </li>
    ))}
  </ul>
);

const Mark = ({ status }: { status: FrameworkStatus }) => {
  const [tone] = statusBadges[status];
  return (
    <span
      aria-hidden
      className={s.mark}
      style={{ color: `var(--ui-${tone})`, background: `var(--ui-${tone}-tint)` }}
      data-empty={status === 'not_evaluated' || undefined}
    >
      {statusMarks[status]}
    </span>
  );
};

interface RequirementProps extends Omit<RequirementsTableProps, 'isStale'> {
  row: FrameworkRequirement;
}

/** One group of rows: a row for each control, or one that states that there is none. */
function Requirement({ row, framework: { controls, intervals }, period, onEdit, onMap }: RequirementProps) {
  const head = (
    <th scope="rowgroup" rowSpan={Math.max(1, row.controls.length)} className={s.requirement}>
      <span className={s.id}>{row.id}</span>
      <span className={s.title}>{row.title}</span>
      <Details row={row} />
      <span className={s.actions}>
        {onEdit && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPencil size={13} aria-hidden />}
            onClick={() => onEdit(row)}
            aria-label={`Edit ${row.id}`}
          >
            Edit
          </Button>
        )}
        {onMap && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRoute size={13} aria-hidden />}
            onClick={() => onMap(row)}
            aria-label={`Map ${row.id} to controls`}
          >
            Map controls
          </Button>
        )}
      </span>
    </th>
  );
  if (row.controls.length === 0) {
    return (
      <tbody>
        <tr>
          {head}
          <td colSpan={2 + intervals.starts.length} className={s.gap}>
            <strong>No control covers this requirement.</strong> {row.gap}
          </td>
        </tr>
      </tbody>
    );
  }
  return (
    <tbody>
      {row.controls.map(({ id, rationale }, index) => {
        const control = controls.find((one) => one.id === id);
        const [tone, label] = statusBadges[control?.status ?? 'not_evaluated'];
        return (
          <tr key={id}>
            {index === 0 && head}
            <td className={s.control}>
              <Link href={`/evidence/controls/${id}?period=${period}`}>{id}</Link> {control?.title}
              <span className={s.rationale}>{rationale}</span>
            </td>
            <td>
              <StatusBadge tone={tone}>{label}</StatusBadge>
            </td>
            {intervals.starts.map((start, at) => {
              const status = control?.history[at] ?? 'not_evaluated';
              return (
                <td key={start} className={s.interval}>
                  <Mark status={status} />
                  <span className="vh">{statusBadges[status][1]}</span>
                </td>
              );
            })}
          </tr>
        );
      })}
    </tbody>
  );
}

function Details({ row: { owner, dueOn, notes } }: { row: FrameworkRequirement }) {
  if (!owner && dueOn === null && notes === '') return null;
  return (
    <span className={s.details}>
      {owner && (
        <span>
          Owner: <PersonName person={owner} />
        </span>
      )}
      {dueOn !== null && <span>Due {dueLabel(dueOn)}</span>}
      {notes !== '' && <span className={s.notes}>{notes}</span>}
    </span>
  );
}
