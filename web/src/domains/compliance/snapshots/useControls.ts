import { listControls } from '@sightline/contract/compliance/control-runs.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#lib/api.ts';

/** The controls there are; none until they are known. */
export const useControls = () => useQuery(ask(listControls, {})).data ?? [];

/** What each control is called; undefined until it is known. */
export function useControlTitles(): (id: ControlId) => string | undefined {
  const controls = useControls();
  return (id) => controls.find((control) => control.id === id)?.title;
}
