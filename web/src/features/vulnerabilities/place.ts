/** A place in a file as people write it: `src/query.ts:48`. */
export const placeOf = ({ filePath, line }: { filePath: string; line: number | null }): string =>
  line === null ? filePath : `${filePath}:${line}`;
