import { Combobox, UnstyledButton, useCombobox } from '@mantine/core';
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import s from './MultiSelect.module.css';

export interface Option {
  value: string;
  label: string;
  /** Before the label: an avatar, an icon, a severity letter. */
  icon?: ReactNode;
  /** A number, or text such as '1,000+'. */
  count?: number | string | undefined;
}

interface MultiSelectProps {
  /** The filtered field: 'Role'. */
  name: string;
  options: readonly Option[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Shown without options: 'No vendors available'. */
  emptyText: string;
}

/** A filter button. It shows the first selected value and counts the rest: 'Role Account Owner +1 more' (spec 9). */
export function MultiSelect({ name, options, values, onChange, emptyText }: MultiSelectProps) {
  const [search, setSearch] = useState('');
  const trigger = useRef<HTMLButtonElement>(null);
  const combobox = useCombobox({
    onDropdownClose: (source) => {
      combobox.resetSelectedOption();
      setSearch('');
      // a click elsewhere has moved the focus
      if (source === 'keyboard') trigger.current?.focus();
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const searchable = options.length > 7;
  const found = options.filter(({ label }) => label.toLowerCase().includes(search.trim().toLowerCase()));
  const labels = values.map((value) => labelOf(value, options));
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]);

  return (
    <Combobox store={combobox} onOptionSubmit={toggle} width={256} position="bottom-start" withinPortal>
      <span className={s.filter} data-chosen={values.length > 0 || undefined}>
        <Combobox.Target targetType="button" withExpandedAttribute>
          <UnstyledButton
            ref={trigger}
            className={s.trigger ?? ''}
            role="combobox"
            aria-label={nameOf(name, labels)}
            onClick={() => combobox.toggleDropdown()}
          >
            <Chosen name={name} labels={labels} />
          </UnstyledButton>
        </Combobox.Target>
        {values.length > 0 && (
          <UnstyledButton className={s.clear ?? ''} aria-label={`Clear ${name}`} onClick={() => onChange([])}>
            <IconX size={13} aria-hidden />
          </UnstyledButton>
        )}
      </span>
      <Combobox.Dropdown>
        {searchable && (
          <Combobox.Search
            aria-label={`Search in ${name}`}
            placeholder="Search"
            value={search}
            onChange={({ currentTarget }) => {
              setSearch(currentTarget.value);
              combobox.updateSelectedOptionIndex();
            }}
          />
        )}
        <Combobox.Options aria-label={name} aria-multiselectable mah={280} className={s.list ?? ''}>
          {found.map((option) => (
            <OptionRow key={option.value} option={option} chosen={values.includes(option.value)} />
          ))}
          {found.length === 0 && <Combobox.Empty>{options.length === 0 ? emptyText : 'No matches'}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Chosen({ name, labels: [first, ...rest] }: { name: string; labels: string[] }) {
  if (first === undefined) {
    return (
      <>
        {name}
        <IconChevronDown size={14} aria-hidden />
      </>
    );
  }
  return (
    <>
      <span className="dim">{name}</span> <b className="truncate">{first}</b>
      {rest.length > 0 && <span className={s.more}>+{rest.length} more</span>}
    </>
  );
}

function OptionRow({ option: { value, label, icon, count }, chosen }: { option: Option; chosen: boolean }) {
  return (
    <Combobox.Option value={value} active={chosen} aria-selected={chosen} className={s.option ?? ''}>
      <span className={s.check} data-on={chosen || undefined} aria-hidden>
        {chosen && <IconCheck size={12} stroke={3} />}
      </span>
      {icon}
      <span className="truncate">{label}</span>
      {count !== undefined && <span className={s.count}>{count}</span>}
    </Combobox.Option>
  );
}

// A value from a shared URL may no longer be listed: it is shown by its own name.
const labelOf = (value: string, options: readonly Option[]) =>
  options.find((option) => option.value === value)?.label ?? value;

// A combobox has no name from its content, so the text is repeated.
function nameOf(name: string, [first, ...rest]: string[]): string {
  if (first === undefined) return name;
  return rest.length === 0 ? `${name} ${first}` : `${name} ${first} +${rest.length} more`;
}
