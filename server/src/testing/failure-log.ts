/** The log lines of test servers during the current test. */
export const failureLog = {
  lines: [] as string[],
  write(line: string): void {
    failureLog.lines.push(line);
  },
};
