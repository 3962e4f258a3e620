import { z } from 'zod';
import { useUrlQuery } from './url-query.ts';

interface ColumnChoice<C> {
  /** The columns to show. */
  columns: C[];
  /** The keys of the shown columns that can be hidden. */
  shown: readonly string[];
  choices: readonly { key: string; label: string }[];
  choose: (keys: readonly string[]) => void;
}

interface ChoosableColumn {
  key: string;
  header: unknown;
  /** The header in words, if `header` is not text. */
  label?: string;
  place?: string;
}

const columnsQuery = z.object({ columns: z.string().default('') });

/**
 * The columns of a list that the user selected, in the URL, so that links and saved views contain them. Columns without a
 * text header, the main one and the menu are always shown. `optional` are hidden until selected.
 */
export function useColumnChoice<C extends ChoosableColumn>(
  all: readonly C[],
  optional: readonly string[] = [],
): ColumnChoice<C> {
  const [{ columns: given }, setQuery] = useUrlQuery(columnsQuery);
  const choices = all.flatMap(({ key, header, label = header, place }) =>
    typeof label !== 'string' || place === 'main' || place === 'menu' ? [] : { key, label },
  );
  const keys = choices.map(({ key }) => key);
  const usual = keys.filter((key) => !optional.includes(key));
  const named = keys.filter((key) => given.split(',').includes(key));
  const shown = named[0] || given === none ? named : usual;
  return {
    columns: all.filter(({ key }) => shown.includes(key) || !keys.includes(key)),
    shown,
    choices,
    choose: (chosen) => {
      const text = chosen.join(',') || none;
      setQuery({ columns: text === usual.join(',') ? '' : text });
    },
  };
}

/** Only the columns that are always shown. */
const none = 'none';
