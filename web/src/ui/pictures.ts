import { createContext, useContext, useEffect, useState } from 'react';

/** Converts a picture URL to one that this page may show; undefined if unavailable. */
export type LoadPicture = (address: string) => Promise<string | undefined>;

/** The picture loader. By default, pictures are loaded from their URL. */
export const PictureLoader = createContext<LoadPicture>(async (address) => address);

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
