import { useEffect, useState } from 'react';

type CodeToken = { type: string; value: string };

/** Returns the tokens of each line by file name; undefined until the highlighter is loaded. */
export function useSyntaxTokens(
  lines: readonly string[],
  filePath: string,
): readonly (readonly CodeToken[])[] | undefined {
  const [colored, setColored] = useState<readonly (readonly CodeToken[])[]>();
  useEffect(() => {
    let isMounted = true;
    void import('./colors.ts').then(
      ({ tokensByLine: tokensOf }) => isMounted && setColored(tokensOf(lines, filePath)),
      // Without syntax highlighting, the code remains readable.
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [lines, filePath]);
  return colored;
}
