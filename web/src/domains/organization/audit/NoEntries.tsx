import { Button } from '@mantine/core';
import type { AuditPage } from '@sightline/contract/organization/audit.ts';
import { IconListDetails } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { dateText } from './dates.ts';

interface NoEntriesProps {
  page: AuditPage;
  words: readonly string[];
  isFiltered: boolean;
  onClear: () => void;
}

export const NoEntries = ({ page, words, isFiltered, onClear }: NoEntriesProps) =>
  isFiltered ? (
    <Empty
      kind="no-match"
      title={page.searchedTo === null ? 'No entry matches' : `No entry matches back to ${dateText(page.searchedTo)}`}
      filters={words}
      action={
        <Button variant="default" onClick={onClear}>
          {words.length > 1 ? 'Clear filters' : 'Clear filter'}
        </Button>
      }
    >
      {page.searchedTo === null ? undefined : 'Older entries were not searched.'}
    </Empty>
  ) : (
    <Empty kind="nothing-yet" title="No entries" icon={<IconListDetails size={19} stroke={1.6} />}>
      Sign-ins and changes to members, roles, repositories and settings appear here.
    </Empty>
  );
