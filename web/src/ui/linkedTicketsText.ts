/** Returns how many of the tickets that a pull request names exist, and how many issues of its code host it links. */
export function linkedTicketsText(tickets: readonly string[], issues: number): string {
  const words = [
    tickets.length > 0 &&
      `${tickets.filter((state) => state === 'resolved').length} of ${tickets.length} tickets found`,
    issues > 0 && `${issues} linked ${issues === 1 ? 'issue' : 'issues'}`,
  ].filter(Boolean);
  return words.length > 0 ? words.join(', ') : 'No linked tickets or issues.';
}
