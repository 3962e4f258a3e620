import { useEffect, useState } from 'react';

type CodeToken = { type: string; value: string };

/** The tokens of each line once the colors have been fetched, by the file's name; undefined until then. */
export function useColors(lines: readonly string[], filePath: string): readonly (readonly CodeToken[])[] | undefined {
  const [colored, setColored] = useState<readonly (readonly CodeToken[])[]>();
  useEffect(() => {
    let wanted = true;
    void import('./colors.ts').then(
      ({ tokensOf }) => wanted && setColored(tokensOf(lines, filePath)),
      // Colors are a comfort: without them the code is there all the same.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [lines, filePath]);
  return colored;
}
