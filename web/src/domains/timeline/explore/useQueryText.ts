import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { readQuery } from './readQuery.ts';

// Long enough that a qualifier under way is no fault yet.
const pause = 400;

interface QueryText {
  text: string;
  /** Shows it now, and asks it soon where it can be read. */
  type: (text: string) => void;
  /** Asks it at once where it can be read. */
  send: (text: string) => void;
  /** Why it cannot be read; `settled` once the writer pauses. */
  problem: (QueryProblem & { settled: boolean }) | undefined;
}

/** The text of a query as it is written, beside the one that is asked. */
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
  // The address is the owner: Back and a click on an entity change the query under us. Our own answer coming back must
  // not undo newer typing.
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
