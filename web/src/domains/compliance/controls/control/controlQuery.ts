import { listControlRows } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { z } from 'zod';
import { stringifySearch } from '#lib/search.ts';
import { patchSearch } from '#lib/url-query.ts';

export const controlTabs = ['rows', 'sample', 'definition', 'runs'] as const;
export type ControlTab = (typeof controlTabs)[number];

/** What the address of a control says: the tab, beside what its rows are asked by. */
export const controlQuery = listControlRows.query.extend({ tab: z.enum(controlTabs).default('rows') });
export type ControlQuery = z.output<typeof controlQuery>;

/** A tab of a control, with the period and the checkpoint that are looked at. */
export const hrefOfTab = (id: ControlId, { period, asOf }: ControlQuery, tab: ControlTab): string =>
  `/evidence/controls/${id}${stringifySearch(patchSearch(controlQuery, {}, { period, asOf, tab }))}`;
