import { Button, UnstyledButton } from '@mantine/core';
import { type AuditFilters, MAX_COUNTED_AUDIT_ENTRIES } from '@sightline/contract/organization/audit.ts';
import { auditActionLabel } from '@sightline/contract/organization/audit-actions.ts';
import { IconX } from '@tabler/icons-react';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect, type Option } from '#ui/MultiSelect.tsx';
import { Face } from '#ui/Person.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import s from './Audit.module.css';
import { type AuditPageQuery, subjectWords } from './auditQuery.ts';
import { DateRange } from './DateRange.tsx';

interface AuditFilterRowProps {
  query: AuditPageQuery;
  narrow: (patch: Partial<AuditPageQuery>) => void;
  filters: AuditFilters | undefined;
  isFiltered: boolean;
  onClear: () => void;
}

/** Filters by text, actor, action, target, and time. */
export const AuditFilterRow = ({ query, narrow, filters, isFiltered, onClear }: AuditFilterRowProps) => (
  <Filters
    end={
      isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          Clear filters
        </Button>
      )
    }
  >
    <SearchBox label="Search the audit log" value={query.search} onChange={(search) => narrow({ search })} />
    <MultiSelect
      name="Actor"
      options={(filters?.actors ?? []).map(({ value, label, count, picture }) => ({
        value,
        label,
        count: countOf(count),
        icon: <Face name={label} id={value.split(':')[1]} picture={picture ?? undefined} size={18} />,
      }))}
      values={query.actor}
      onChange={(actor) => narrow({ actor })}
      emptyText="No actors"
    />
    <MultiSelect
      name="Action"
      options={actionsOf(query, filters)}
      values={query.action}
      onChange={(action) => narrow({ action })}
      emptyText="Nothing yet"
    />
    <MultiSelect
      name="About"
      options={(filters?.subjectKinds ?? []).map(({ count, ...choice }) => ({ ...choice, count: countOf(count) }))}
      values={query.subjectKind}
      onChange={(subjectKind) => narrow({ subjectKind })}
      emptyText="Nothing yet"
    />
    <DateRange from={query.from} to={query.to} onChange={narrow} />
    {query.subject !== '' && (
      <span className={s.chip}>
        <span className="dim">About</span> <b>{subjectWords(query.subject)}</b>
        <UnstyledButton className={s.chipClear ?? ''} aria-label="Clear target" onClick={() => narrow({ subject: '' })}>
          <IconX size={13} aria-hidden />
        </UnstyledButton>
      </span>
    )}
  </Filters>
);

/** Returns the actions in the log, and selected ones that the log does not contain. */
const actionsOf = ({ action }: AuditPageQuery, filters: AuditFilters | undefined): Option[] => {
  const recorded = (filters?.actions ?? []).map(({ count, ...choice }) => ({ ...choice, count: countOf(count) }));
  const missing = action.filter((value) => !recorded.some((choice) => choice.value === value));
  return [...recorded, ...missing.map((value) => ({ value, label: auditActionLabel(value), count: 0 }))];
};

const countOf = (count: number) =>
  count < MAX_COUNTED_AUDIT_ENTRIES ? count : `${new Intl.NumberFormat('en-GB').format(MAX_COUNTED_AUDIT_ENTRIES)}+`;
