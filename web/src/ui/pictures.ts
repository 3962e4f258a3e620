import { createContext, useContext, useEffect, useState } from 'react';

/** Converts a picture URL to one that this page may show; undefined if unavailable. */
export type LoadPicture = (address: string) => Promise<string | undefined>;

const personScheme = 'person:';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The address of the picture of an account or person, which a picture loader finds by this ID. Undefined for other IDs, such
 * as the name of an operator.
 */
export const personPicture = (id: string | null | undefined): string | undefined =>
  id && uuid.test(id) ? `${personScheme}${id}` : undefined;

/** The ID in an address of `personPicture`; undefined for other addresses. */
export const personIn = (address: string): string | undefined =>
  address.startsWith(personScheme) ? address.slice(personScheme.length) : undefined;

/** The picture loader. By default, pictures are loaded from their URL, and those of people by ID are unavailable. */
export const PictureLoader = createContext<LoadPicture>(async (address) =>
  personIn(address) === undefined ? address : undefined,
);

/** A picture URL that the page may show; undefined while loading. */
export function usePicture(address: string | undefined): string | undefined {
  const load = useContext(PictureLoader);
  const [shown, setShown] = useState<{ address: string; src: string | undefined }>();
  useEffect(() => {
    if (address === undefined || address === '') return undefined;
    let isCurrent = true;
    load(address).then((src) => isCurrent && setShown({ address, src }));
    return () => {
      isCurrent = false;
    };
  }, [address, load]);
  return shown?.address === address ? shown?.src : undefined;
}
