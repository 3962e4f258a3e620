import { Button } from '@mantine/core';
import type { AuditPage } from '@sightline/contract/organization/audit.ts';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import s from './Audit.module.css';
import type { AuditPageQuery } from './auditQuery.ts';
import { dateText } from './dates.ts';

interface AuditPagerProps {
  page: AuditPage;
  query: AuditPageQuery;
  setQuery: (patch: Partial<AuditPageQuery>) => void;
}

/** Links to newer and older entries. A page starts at an entry, so it stays the same while the log grows. */
export function AuditPager({ page, query, setQuery }: AuditPagerProps) {
  const { entries, older, newer, searchedTo } = page;
  if (older === null && newer === null) return null;
  const go = (patch: Partial<AuditPageQuery>) => {
    setQuery({ older: undefined, newer: undefined, entry: undefined, ...patch });
    window.scrollTo({ top: 0 });
  };
  return (
    <nav className={s.pager} aria-label="Pages">
      {searchedTo !== null && entries.length > 0 && (
        <span className={s.reach}>Searched entries back to {dateText(searchedTo)}</span>
      )}
      {(query.older !== undefined || query.newer !== undefined) && (
        <Button variant="subtle" onClick={() => go({})}>
          Newest
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={15} aria-hidden />}
        disabled={newer === null}
        onClick={() => newer !== null && go({ newer })}
      >
        Newer
      </Button>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={15} aria-hidden />}
        disabled={older === null}
        onClick={() => older !== null && go({ older })}
      >
        {searchedTo === null ? 'Older' : 'Search older entries'}
      </Button>
    </nav>
  );
}
