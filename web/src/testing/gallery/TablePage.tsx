import { Button } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '#ui/DataTable.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { Pagination } from '#ui/Pagination.tsx';
import { Panel } from '#ui/Panel.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { SegmentedToggle } from '#ui/SegmentedToggle.tsx';
import { columns, repositories } from './repositories.tsx';

const authors = Array.from({ length: 12 }, (_, at) => ({ value: `author-${at}`, label: `Author ${at + 1}` }));
const providers = ['GitHub', 'GitLab', 'Bitbucket'].map((label) => ({ value: label.toLowerCase(), label, count: 6 }));

export function TablePage({ state }: { state: 'rows' | 'loading' | 'stale' | 'none' }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(['github', 'gitlab']);
  const [author, setAuthor] = useState<string[]>([]);
  const [sort, setSort] = useState('date-desc');
  const [page, setPage] = useState(1);
  const [perPage, setPerPage] = useState(10);
  const [shown, setShown] = useState<'open' | 'closed'>('open');
  return (
    <>
      <PageHeader
        title="Repositories"
        note="18 enabled from 3 providers. The last change is the newest commit on any branch."
        freshness="Updated a moment ago"
        actions={<Button variant="default">Settings</Button>}
      />
      <Filters end="8 of 68">
        <SegmentedToggle
          label="State"
          choices={[
            { value: 'open', label: 'Open PRs' },
            { value: 'closed', label: 'Closed PRs' },
          ]}
          value={shown}
          onChange={setShown}
        />
        <SearchBox label="Search repositories" value={search} onChange={setSearch} />
        <MultiSelect
          name="Provider"
          options={providers}
          values={chosen}
          onChange={setChosen}
          emptyText="No providers available"
        />
        <MultiSelect
          name="Author"
          options={authors}
          values={author}
          onChange={setAuthor}
          emptyText="No users available"
        />
        <MultiSelect name="Vendor" options={[]} values={[]} onChange={setChosen} emptyText="No vendors available" />
      </Filters>
      <Panel flush>
        <DataTable
          label="Repositories"
          columns={columns}
          rows={state === 'loading' ? undefined : state === 'none' ? [] : repositories}
          rowKey={({ name }) => name}
          rowHref={({ name }) => `#${name}`}
          sort={sort}
          onSort={setSort}
          stale={state === 'stale'}
          empty={
            <Empty
              kind="no-match"
              title="No repositories found"
              filters={['Provider: GitHub', '“ledger”']}
              action={<Button variant="default">Clear filters</Button>}
            >
              No results match these filters.
            </Empty>
          }
        />
        <Pagination
          page={page}
          perPage={perPage}
          total={state === 'none' ? 0 : 1268}
          onPage={setPage}
          onPerPage={setPerPage}
        />
      </Panel>
    </>
  );
}
