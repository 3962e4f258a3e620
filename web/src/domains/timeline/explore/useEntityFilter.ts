import { useCallback, useEffect, useRef } from 'react';
import { announce } from '#ui/announce.ts';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { queryFilteredBy } from './entityFilter.ts';

/** Handles clicks on entities. Its identity is stable, because thousands of rows receive it. */
export function useEntityFilter(query: string, onChange: (query: string) => void): OnEntity {
  const latest = useRef({ query, onChange });
  useEffect(() => {
    latest.current = { query, onChange };
  });
  return useCallback((parameter, options) => {
    const now = latest.current;
    const next = queryFilteredBy(parameter, now.query, options);
    if (next === undefined) return;
    now.onChange(next);
    announce(`${options.exclude ? 'Without' : 'Only'} ${parameter.display}`);
  }, []);
}
