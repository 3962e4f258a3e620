import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { readQuery } from './readQuery.ts';

// Milliseconds, long enough that a qualifier being typed is not reported as an error.
const pause = 400;

interface QueryText {
  text: string;
  /** Shows the text immediately, and runs it shortly after if it is valid. */
  type: (text: string) => void;
  /** Runs the text immediately if it is valid. */
  send: (text: string) => void;
  /** The syntax error; `settled` after a pause in typing. */
  problem: (QueryProblem & { settled: boolean }) | undefined;
}

/** The text of a query while it is typed, and the active query. */
export function useQueryText(value: string, onChange: (query: string) => void): QueryText {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = (next: string) => {
    sendSoon.cancel();
    if (next.trim() === sent.current.trim() || 'problem' in readQuery(next)) return;
    sent.current = next.trim();
    onChange(sent.current);
  };
  const sendSoon = useDebouncedCallback((next: string) => send(next), pause);
  // The address is authoritative: Back and clicks on entities change the query. The update from our own query must not
  // undo newer typing.
  useEffect(() => {
    if (value.trim() === sent.current.trim()) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const [settled] = useDebouncedValue(text, pause);
  const problem = useMemo(() => {
    const parsed = readQuery(text);
    return 'problem' in parsed ? { ...parsed.problem, settled: settled === text } : undefined;
  }, [text, settled]);
  return {
    text,
    type: (next) => {
      setText(next);
      sendSoon(next);
    },
    send,
    problem,
  };
}
