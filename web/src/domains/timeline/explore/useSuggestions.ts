import { useDebouncedValue } from '@mantine/hooks';
import { suggestValues } from '@sightline/contract/timeline/explore.ts';
import {
  type Completion,
  completionAt,
  type Suggestion,
  suggestCompletions,
} from '@sightline/contract/timeline/query-language/complete.ts';
import { qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { endpointQuery } from '#lib/api.ts';

/** Suggests completions at the caret, with values from the organization's events. */
export function useSuggestions(
  text: string,
  caret: number,
  isEnabled: boolean,
): { completion: Completion; suggestions: Suggestion[] } {
  const completion = useMemo(() => completionAt(text, caret), [text, caret]);
  const { key } = completion;
  const [typed] = useDebouncedValue(completion.typed, 150);
  const known = useQuery({
    ...endpointQuery(suggestValues, { query: { key: key ?? 'repo', typed: typed.slice(0, 200) } }),
    enabled: isEnabled && key !== undefined && qualifierDefinition(key).type === 'text',
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const suggestions = useMemo(
    () =>
      suggestCompletions(completion, () =>
        (known.data ?? []).map(({ value, label }) => ({ value, ...(label !== undefined && { label }) })),
      ),
    [completion, known.data],
  );
  return { completion, suggestions };
}
