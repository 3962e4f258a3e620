/** Log lines of the test servers since the test before. */
export const failureLog = {
  lines: [] as string[],
  write(line: string): void {
    failureLog.lines.push(line);
  },
};
