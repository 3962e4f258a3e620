import { useEffect, useState } from 'react';

type CodeToken = { type: string; value: string };

/** The tokens of each line once the colours have been fetched, by the file's name; undefined until then. */
export function useColours(lines: readonly string[], filePath: string): readonly (readonly CodeToken[])[] | undefined {
  const [coloured, setColoured] = useState<readonly (readonly CodeToken[])[]>();
  useEffect(() => {
    let wanted = true;
    void import('./colours.ts').then(
      ({ tokensOf }) => wanted && setColoured(tokensOf(lines, filePath)),
      // Colours are a comfort: without them the code is there all the same.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [lines, filePath]);
  return coloured;
}
