import { ActionIcon, Combobox, useCombobox } from '@mantine/core';
import type { Completion, Suggestion } from '@sightline/contract/timeline/query-language/complete.ts';
import { maybeKey, qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type FocusEvent, useId, useRef, useState } from 'react';
import { docsHref } from '#lib/docs.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Query.module.css';
import { QueryChips } from './QueryChips.tsx';
import { QueryMarks } from './QueryMarks.tsx';
import { QueryOptions } from './QueryOptions.tsx';
import { useQueryHistory } from './queryHistory.ts';
import { readQuery } from './readQuery.ts';
import { useQueryText } from './useQueryText.ts';
import { useSuggestions } from './useSuggestions.ts';

/** Whether a suggestion completes a valid query. A qualifier is tested with the value of its example. */
function completes(text: string, { start, end }: Completion, suggestion: Suggestion): boolean {
  const key = suggestion.open ? maybeKey(suggestion.text.replace(/:$/, '')) : undefined;
  return (
    'node' in
    readQuery(text.slice(0, start) + (key ? qualifierDefinition(key).example : suggestion.text) + text.slice(end))
  );
}

const placeholder = 'Filter events by querying the data...';

/**
 * Edits a query as text with suggestions, and shows it as chips without focus. A valid query runs shortly after the
 * last key. An invalid one is underlined, and the last valid one remains active.
 */
export function QueryInput({ value, onChange }: { value: string; onChange: (query: string) => void }) {
  const { text, type, send, problem } = useQueryText(value, onChange);
  const [history, remember] = useQueryHistory();
  const [editing, setEditing] = useState(false);
  const [caret, setCaret] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const marks = useRef<HTMLDivElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { completion, suggestions } = useSuggestions(text, caret, editing && combobox.dropdownOpened);
  const recent = text.trim() === '' ? history : [];
  const problemId = useId();
  const [submittedText, setSubmittedText] = useState<string>();
  // An incomplete word that a suggestion would complete is no error until the user submits it.
  const isIncomplete =
    editing &&
    submittedText !== text &&
    problem !== undefined &&
    caret >= problem.start &&
    caret <= problem.end &&
    suggestions.some((suggestion) => completes(text, completion, suggestion));
  const fault = problem && (problem.settled || submittedText === text) && !isIncomplete ? problem : undefined;
  const asChips = !editing && !problem && text.trim() !== '';

  const finish = (query: string) => {
    send(query);
    setSubmittedText(query);
    if (query.trim() !== '') remember(query.trim());
  };
  const write = (next: string, at: number) => {
    type(next);
    setCaret(at);
    // After React has rendered the text.
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  };
  const accept = (option: string) => {
    const recentQuery = recent[Number(option.replace('recent-', ''))];
    if (option.startsWith('recent-') && recentQuery !== undefined) {
      write(recentQuery, recentQuery.length);
      finish(recentQuery);
      return combobox.closeDropdown();
    }
    const chosen = suggestions[Number(option)];
    if (!chosen) return;
    const after = text.slice(completion.end).replace(/^ /, '');
    const insertedText = `${text.slice(0, completion.start)}${chosen.text}${chosen.open ? '' : ' '}`;
    write(insertedText + after, insertedText.length);
    combobox.updateSelectedOptionIndex();
  };
  const edit = (start: number, end: number) => {
    input.current?.focus();
    input.current?.setSelectionRange(start, end);
    setCaret(end);
  };
  const onBlur = ({ relatedTarget }: FocusEvent<HTMLInputElement>) => {
    if (relatedTarget instanceof Element && relatedTarget.closest(`.${s.bar}`)) return setEditing(false);
    setEditing(false);
    combobox.closeDropdown();
    if (!problem && text.trim() !== value.trim()) finish(text);
  };

  return (
    <Combobox store={combobox} onOptionSubmit={accept} position="bottom-start" withinPortal={false} offset={6}>
      <div className={s.field}>
        <Combobox.DropdownTarget>
          <div className={s.bar} data-invalid={fault !== undefined || undefined}>
            <IconSearch size={15} className={s.icon} aria-hidden />
            {asChips && (
              <QueryChips
                text={text}
                onEdit={({ start, end }) => edit(start, end)}
                onRemove={(rest) => {
                  type(rest);
                  finish(rest);
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
                    setCaret(currentTarget.selectionStart ?? currentTarget.value.length);
                    combobox.openDropdown();
                    combobox.resetSelectedOption();
                  }}
                  onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
                  onScroll={({ currentTarget }) => marks.current?.scrollTo({ left: currentTarget.scrollLeft })}
                  onFocus={() => setEditing(true)}
                  onClick={() => combobox.openDropdown()}
                  onBlur={onBlur}
                  onKeyDown={({ key, nativeEvent }) => {
                    if (key !== 'Enter' || nativeEvent.isComposing || combobox.getSelectedOptionIndex() !== -1) return;
                    finish(text);
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
                  setCaret(0);
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
