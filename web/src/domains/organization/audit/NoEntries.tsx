import { Button } from '@mantine/core';
import type { AuditPage } from '@sightline/contract/organization/audit.ts';
import { IconListDetails } from '@tabler/icons-react';
import { Empty } from '#ui/Empty.tsx';
import { dateOf } from './dates.ts';

interface NoEntriesProps {
  page: AuditPage;
  words: readonly string[];
  narrowed: boolean;
  onClear: () => void;
}

export const NoEntries = ({ page, words, narrowed, onClear }: NoEntriesProps) =>
  narrowed ? (
    <Empty
      kind="no-match"
      title={page.searchedTo === null ? 'No entry matches' : `No entry matches back to ${dateOf(page.searchedTo)}`}
      filters={words}
      action={
        <Button variant="default" onClick={onClear}>
          {words.length > 1 ? 'Clear filters' : 'Clear filter'}
        </Button>
      }
    >
      {page.searchedTo === null ? undefined : 'Older entries were not looked at yet.'}
    </Empty>
  ) : (
    <Empty kind="nothing-yet" title="Nothing was changed yet" icon={<IconListDetails size={19} stroke={1.6} />}>
      Every sign-in, and every change of members, roles, repositories and settings, appears here.
    </Empty>
  );
