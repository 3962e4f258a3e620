import { Pagination as MantinePagination, Select } from '@mantine/core';
import { lastPage, pageSizes } from '@sightline/contract/core/paging.ts';
import s from './Pagination.module.css';

interface PaginationProps {
  /** From 1. A page past the end is rendered as the last one. */
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
  /** The caller resets to page 1. */
  onPerPage: (perPage: number) => void;
}

/** The footer of a table: rows per page, 'a–b of N', pages. Renders nothing for an empty list. */
export function Pagination({ page, perPage, total, onPage, onPerPage }: PaginationProps) {
  if (total === 0) return null;
  const last = lastPage(total, perPage);
  const current = Math.min(Math.max(1, page), last);
  const from = (current - 1) * perPage + 1;
  const to = Math.min(total, current * perPage);
  return (
    <div className={s.foot}>
      <span className={s.size}>
        <span aria-hidden>Rows</span>
        <Select
          aria-label="Rows per page"
          data={pageSizes.map(String)}
          value={String(perPage)}
          onChange={(size) => size !== null && onPerPage(Number(size))}
          w={68}
          size="sm"
          allowDeselect={false}
        />
      </span>
      <span className={s.range}>
        {number.format(from)}–{number.format(to)} of {number.format(total)}
      </span>
      <MantinePagination
        total={last}
        value={current}
        onChange={(next) => next !== current && next >= 1 && next <= last && onPage(next)}
        siblings={1}
        size="sm"
        gap={2}
        aria-label="Pages"
        getControlProps={(control) => ({ 'aria-label': controlNames[control] })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </div>
  );
}

const controlNames = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' };
const number = new Intl.NumberFormat('en-GB');
