import type { ApiError } from '@sightline/contract/core/client.ts';
import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import { useState } from 'react';
import { readQuery } from './readQuery.ts';

interface ShownQuery {
  /** The last query that can be read and that the server did not reject. */
  shown: string;
  /** Why the server rejected the query of the address, if an earlier one is shown instead. */
  rejection: QueryProblem | undefined;
  /** Reports the response of the server to the shown query. */
  onAnswer: (answer: { hasEvents: boolean; error: ApiError | null }) => void;
}

/** Keeps the results of the last valid query while the address contains an invalid one. */
export function useShownQuery(text: string): ShownQuery {
  const [readable, setReadable] = useState(text);
  const [accepted, setAccepted] = useState<string>();
  const [rejected, setRejected] = useState<{ query: string; problem: QueryProblem }>();
  if (text !== readable && 'node' in readQuery(text)) setReadable(text);
  const rejection = accepted !== undefined && rejected?.query === readable ? rejected.problem : undefined;
  const shown = rejection ? (accepted ?? readable) : readable;
  return {
    shown,
    rejection,
    onAnswer: ({ hasEvents, error }) => {
      if (hasEvents && accepted !== shown) setAccepted(shown);
      const problem = error && problemOf(error, shown);
      if (problem && accepted !== undefined && accepted !== shown && rejected?.query !== shown)
        setRejected({ query: shown, problem });
    },
  };
}

function problemOf({ refusal }: ApiError, query: string): QueryProblem | undefined {
  const { code, message = '', query: position } = refusal ?? {};
  if (code !== 'query_invalid' && code !== 'query_too_complex') return undefined;
  return { code, message, start: 0, end: query.length, expected: [], ...position };
}
