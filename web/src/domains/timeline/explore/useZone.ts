import { useLocalStorage } from '@mantine/hooks';
import { browserOffset, offeredOffsets } from './zone.ts';

/** The time zone offset in minutes. It is a setting of the user, so links do not contain it. */
export function useZone(): readonly [number, (offset: number) => void] {
  const [chosen, setOffset] = useLocalStorage<number | null>({ key: 'zoneOffset', defaultValue: null });
  const offset = chosen !== null && offeredOffsets().includes(chosen) ? chosen : browserOffset();
  return [offset, setOffset];
}
