import { Combobox } from '@mantine/core';
import type { Suggestion } from '@sightline/contract/timeline/query-language/complete.ts';
import { IconHistory } from '@tabler/icons-react';
import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import s from './Query.module.css';

/** Lists suggestions and recent queries. */
export const QueryOptions = ({
  recent,
  suggestions,
}: {
  recent: readonly string[];
  suggestions: readonly Suggestion[];
}) => (
  <Combobox.Dropdown hidden={recent.length + suggestions.length === 0} className={s.dropdown ?? ''}>
    <Combobox.Options aria-label="Suggestions" className={s.options ?? ''}>
      {recent.length > 0 && (
        <Combobox.Group label="Recent">
          {recent.map((query, index) => (
            <Combobox.Option key={query} value={`recent-${index}`} className={s.option ?? ''}>
              <IconHistory size={14} aria-hidden />
              <code className="truncate">{query}</code>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      )}
      {suggestions.map(({ text, label, description }, index) => (
        <Combobox.Option key={text} value={String(index)} className={s.option ?? ''}>
          <code className="truncate">{label}</code>
          {description !== '' && <span className={s.description}>{description}</span>}
        </Combobox.Option>
      ))}
    </Combobox.Options>
    {/* A press must keep the focus in the field, because blur would close this before the link opens. */}
    <Combobox.Footer className={s.more ?? ''} onMouseDown={(event) => event.preventDefault()}>
      <DocsLink href={docsHref('explore', 'filter-with-a-query')}>Query reference</DocsLink>
    </Combobox.Footer>
  </Combobox.Dropdown>
);
