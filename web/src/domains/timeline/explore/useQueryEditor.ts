import { useCombobox } from '@mantine/core';
import type { Completion, Suggestion } from '@sightline/contract/timeline/query-language/complete.ts';
import { maybeKey, qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { useRef, useState } from 'react';
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

/**
 * The state of the query input: its text, caret and suggestions. A valid query runs shortly after the last key; an invalid
 * one leaves the last valid query active.
 */
export function useQueryEditor(value: string, onChange: (query: string) => void) {
  const { text, type, send, problem } = useQueryText(value, onChange);
  const [history, remember] = useQueryHistory();
  const [editing, setEditing] = useState(false);
  const [caret, setCaret] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { completion, suggestions } = useSuggestions(text, caret, editing && combobox.dropdownOpened);
  const recent = text.trim() === '' ? history : [];
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
  const leave = () => {
    combobox.closeDropdown();
    if (!problem && text.trim() !== value.trim()) finish(text);
  };
  return {
    text,
    type,
    send,
    fault,
    asChips,
    combobox,
    input,
    recent,
    suggestions,
    setCaret,
    setEditing,
    accept,
    edit,
    finish,
    leave,
  };
}
