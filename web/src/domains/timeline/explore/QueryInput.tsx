import { ActionIcon, Combobox } from '@mantine/core';
import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type FocusEvent, useEffect, useEffectEvent, useId, useRef } from 'react';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Query.module.css';
import { QueryChips } from './QueryChips.tsx';
import { QueryMarks } from './QueryMarks.tsx';
import { QueryOptions } from './QueryOptions.tsx';
import { useQueryEditor } from './useQueryEditor.ts';

interface QueryInputProps {
  value: string;
  onChange: (query: string) => void;
  /** Why the server rejected the query, which its syntax does not show. */
  rejection: QueryProblem | undefined;
  /** Called when the input becomes invalid or valid. */
  onInvalid: (isInvalid: boolean) => void;
}

const placeholder = 'Filter events by querying the data...';

/**
 * Edits a query as text with suggestions, and shows it as chips without focus. A valid query runs shortly after the
 * last key. An invalid one is underlined, and the last valid one remains active.
 */
export function QueryInput({ value, onChange, rejection, onInvalid }: QueryInputProps) {
  const {
    text,
    type,
    send,
    fault: ownFault,
    asChips,
    combobox,
    input,
    recent,
    suggestions,
    ...editor
  } = useQueryEditor(value, onChange);
  // The position of a rejection is in the text that was sent.
  const fault = ownFault ?? (text.trim() === value.trim() ? rejection : undefined);
  const isInvalid = fault !== undefined;
  const reportInvalid = useEffectEvent(onInvalid);
  useEffect(() => reportInvalid(isInvalid), [isInvalid]);
  const marks = useRef<HTMLDivElement>(null);
  const problemId = useId();
  const onBlur = ({ relatedTarget }: FocusEvent<HTMLInputElement>) => {
    editor.setEditing(false);
    if (!(relatedTarget instanceof Element && relatedTarget.closest(`.${s.bar}`))) editor.leave();
  };

  return (
    <Combobox store={combobox} onOptionSubmit={editor.accept} position="bottom-start" withinPortal={false} offset={6}>
      <div className={s.field}>
        <Combobox.DropdownTarget>
          <div className={s.bar} data-invalid={fault !== undefined || undefined}>
            <IconSearch size={15} className={s.icon} aria-hidden />
            {asChips && (
              <QueryChips
                text={text}
                onEdit={({ start, end }) => editor.edit(start, end)}
                onRemove={(rest) => {
                  type(rest);
                  editor.finish(rest);
                  if (rest === '') input.current?.focus();
                }}
              />
            )}
            <div className={s.write} data-quiet={asChips || undefined}>
              {asChips ? (
                <span className={s.placeholder} aria-hidden>
                  {placeholder}
                </span>
              ) : (
                <QueryMarks ref={marks} text={text} problem={fault} />
              )}
              <Combobox.EventsTarget withExpandedAttribute>
                <input
                  ref={input}
                  className={s.input}
                  aria-label="Filter events"
                  aria-invalid={fault !== undefined || undefined}
                  aria-describedby={fault && problemId}
                  placeholder={placeholder}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  maxLength={2048}
                  value={text}
                  onChange={({ currentTarget }) => {
                    type(currentTarget.value);
                    editor.setCaret(currentTarget.selectionStart ?? currentTarget.value.length);
                    combobox.openDropdown();
                    combobox.resetSelectedOption();
                  }}
                  onSelect={({ currentTarget }) => editor.setCaret(currentTarget.selectionStart ?? 0)}
                  onScroll={({ currentTarget }) => marks.current?.scrollTo({ left: currentTarget.scrollLeft })}
                  onFocus={() => editor.setEditing(true)}
                  onClick={() => combobox.openDropdown()}
                  onBlur={onBlur}
                  onKeyDown={({ key, nativeEvent }) => {
                    if (key !== 'Enter' || nativeEvent.isComposing || combobox.getSelectedOptionIndex() !== -1) return;
                    editor.finish(text);
                    combobox.closeDropdown();
                  }}
                />
              </Combobox.EventsTarget>
            </div>
            {value.trim() !== '' && <CopyButton compact label="Copy the query" value={value} />}
            {text !== '' && (
              <ActionIcon
                size={24}
                aria-label="Clear the query"
                onClick={() => {
                  type('');
                  send('');
                  editor.setCaret(0);
                  input.current?.focus();
                }}
              >
                <IconX size={15} aria-hidden />
              </ActionIcon>
            )}
          </div>
        </Combobox.DropdownTarget>
        <p id={problemId} className={s.problem} role="status">
          {fault && (
            <>
              <b>Character {fault.start + 1}:</b> {fault.message}
              {fault.expected.length > 0 && (
                <span className="dim"> Expected: {fault.expected.slice(0, 6).join(', ')}</span>
              )}{' '}
              {value.trim() === '' ? 'Until then all events are shown.' : 'Until then the last query applies.'}{' '}
              <DocsLink href={docsHref('explore', 'filter-with-a-query')}>Query reference</DocsLink>
            </>
          )}
        </p>
      </div>
      <QueryOptions recent={recent} suggestions={suggestions} />
    </Combobox>
  );
}
