import { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { z } from 'zod';
import { stringifySearch } from '#lib/search-params.ts';
import { patchSearch } from '#lib/url-query.ts';

export const controlTabs = ['rows', 'sample', 'definition', 'runs'] as const;
export type ControlTab = (typeof controlTabs)[number];

/** The address of a control: the tab, and the query of its items. */
export const controlQuery = listControlRows.query.extend({ tab: z.enum(controlTabs).default('rows') });
export type ControlQuery = z.output<typeof controlQuery>;

/** Returns the address of a tab and keeps the selected period and checkpoint. */
export const hrefOfTab = (id: ControlId, { period, asOf }: ControlQuery, tab: ControlTab): string =>
  `/evidence/controls/${id}${stringifySearch(patchSearch(controlQuery, {}, { period, asOf, tab }))}`;
