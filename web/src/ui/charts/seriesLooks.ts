/** Series differ without color: by dashes and markers of lines, and by patterns of bars. */
const dashes = [undefined, '6 4', '2 3'] as const;

export const dashOf = (index: number): string | undefined => dashes[index % dashes.length];
